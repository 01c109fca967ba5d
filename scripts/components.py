"""Finds circles in a directed graph, for architecture.py (includes) and circles.py (calls)."""


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Returns the strongly connected components of more than one node (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(arrows.get(node, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(arrows):
        if node not in number:
            visit(node)
    return found
