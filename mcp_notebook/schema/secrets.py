"""Fields that ask for a secret, which the specification forbids in a form (client/elicitation, "Security")."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|pwd|secrets?|token|otp|pin|pincode|cvv2?|cvc2?|ssn|credentials?)\b"
    r"|\b(?:api|access|private|secret|encryption|signing|ssh|master|recovery|license) ?keys?\b"
    r"|\b(?:credit|debit|bank|payment) ?card\b|\bcard ?(?:number|no|code|pin)\b|\b(?:security|one time) code\b"
    r"|\b(?:auth|access|bearer) ?token\b|\b(?:contraseña|senha|mot de passe|passwort|kennwort|wachtwoord)\b"
    r"|パスワード|暗証番号|密码|密碼|비밀번호|пароль"
)
_ANOTHER_SENSE = re.compile(
    r"\b(?:url|uri|policy|hint|length|count|limit|type|enabled)$|\b(?:max|min|num|number of|total) token\b"
    r"|\bpin (?:to|message|post)\b"
)


def looks_secret(*names: str) -> bool:
    """Tell whether a field asks for a secret, judged by whole words of its name and title.

    "api_key", "userPassword" and "PIN" are; "pinned", "tokenizer", "max_tokens" and "password_policy_url" are not.
    """
    return any(_secret_words(name) for name in names)


def _secret_words(name: str) -> bool:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name[:300])
    words = re.sub(r"[\W_]+", " ", spaced).lower().strip()
    return bool(_SECRET.search(words)) and not _ANOTHER_SENSE.search(words)
