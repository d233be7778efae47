"""The verbs of `%mcp`, one a file."""

from mcp_notebook.notebook.verb import Verb
from mcp_notebook.notebook.verbs import (
    answer,
    approve,
    ask,
    call,
    config,
    connect,
    describe,
    disconnect,
    drift,
    history,
    login,
    logout,
    logs,
    pin,
    prompt,
    prompts,
    read,
    reconnect,
    record,
    replay,
    resources,
    servers,
    stubs,
    tools,
    trust,
)

VERBS: dict[str, Verb] = {
    module.VERB.name: module.VERB
    for module in (
        connect,
        config,
        servers,
        tools,
        describe,
        call,
        stubs,
        ask,
        resources,
        read,
        prompts,
        prompt,
        logs,
        answer,
        record,
        replay,
        history,
        pin,
        drift,
        approve,
        trust,
        reconnect,
        disconnect,
        login,
        logout,
    )
}
"""By name, in the order in which the help tells of them."""
