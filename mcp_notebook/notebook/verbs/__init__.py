"""The verbs of `%mcp`, one a file."""

from mcp_notebook.notebook.verb import Verb
from mcp_notebook.notebook.verbs import (
    answer,
    call,
    config,
    connect,
    describe,
    disconnect,
    history,
    login,
    logout,
    logs,
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
        resources,
        read,
        prompts,
        prompt,
        logs,
        answer,
        record,
        replay,
        history,
        reconnect,
        disconnect,
        login,
        logout,
    )
}
"""By name, in the order in which the help tells of them."""
