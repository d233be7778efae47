"""Fields that ask for a secret, which the specification forbids in a form (client/elicitation, "Security")."""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|pwd|secret|secrets|token|otp|pin|cvv|cvc|cvv2|ssn|credentials?)\b"
    r"|\b(?:api|access|private|secret|encryption|signing|ssh|master|recovery|license) ?keys?\b"
    r"|\b(?:credit|debit|bank|payment) ?card\b|\bcard (?:number|no|code|pin)\b|\bsecurity code\b|\bone time code\b"
    r"|\b(?:apikey|authtoken|accesstoken|creditcard|cardnumber|privatekey|secretkey|bearer)\b"
)
_OTHER_SENSE = re.compile(
    r"\b(?:max|min|num|number of|count|total|tokens?) (?:of )?tokens?\b|\bpin (?:code )?(?:to|message|post)\b"
)


def looks_secret(*names: str) -> bool:
    """Tell whether a field asks for a secret, judged by whole words of its name and title.

    "api_key", "userPassword" and "PIN" are; "pinned", "tokenizer", "max_tokens" and "password_policy_url" are not.
    """
    return any(_secret_words(name) for name in names)


def _secret_words(name: str) -> bool:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name[:300])
    words = re.sub(r"[\W_]+", " ", spaced).lower().strip()
    if re.search(r"\b(?:url|uri|policy|hint|length|count|limit|type|enabled)$", words):
        return False
    return bool(_WORDS.search(words)) and not _OTHER_SENSE.search(words)
