"""The tables of orders.py: ratios by order, rows with stored figures, losses, what is missing."""
import collections

LISTED = 0.05  # a loss above it is listed, whatever the row's bound is
COLUMNS = [(output, csi) for output in ("bits", "llr") for csi in ("known", "one", "two")]


def lost(row):
    """True if the row loses more than its bound; a ratio that is no number has lost."""
    return not row["ratio"] >= 1 - row["bound"]


def cell(row):
    return f"{row['ratio']:.3f}{'!' if lost(row) else ''}"


def bound(row):
    return "factor 2" if row["bound"] >= 0.5 else f"{100 * row['bound']:.0f} %"


def line(row):
    """A row by itself."""
    return (f"{row['name']:44} {row['old_slots_per_s']:>12.5g} {row['new_slots_per_s']:>12.5g} "
            f"{cell(row):>7} ({row['low']:.3f} to {row['high']:.3f})")


def grid(head, rows, markdown):
    """Lines of a table: the first column to the left, the others to the right."""
    if markdown:
        rule = ["---"] + ["---:"] * (len(head) - 1)
        return [f"| {' | '.join(cells)} |" for cells in [head, rule, *rows]]
    widths = [max(len(cells[i]) for cells in [head, *rows]) for i in range(len(head))]
    return ["  ".join(text.rjust(width) if i else text.ljust(width)
                      for i, (text, width) in enumerate(zip(cells, widths))).rstrip()
            for cells in [head, *rows]]


def by_order(rows):
    """{table: {shape and detector: {(output, csi): row}}}; a name is "sweep 4x4 mmse llr two"."""
    tables = collections.OrderedDict()
    for row in rows:
        where, shape, detector, output, csi, *host = row["name"].split()
        name = " ".join([where, *host])
        lines = tables.setdefault(name, collections.OrderedDict())
        lines.setdefault(f"{shape} {detector}", {})[output, csi] = row
    return tables


def rows_grid(rows, markdown):
    return grid(["row", "old slots/s", "new slots/s", "new/old", "lowest", "highest", "of best",
                 "bound"],
                [[row["name"], f"{row['old_slots_per_s']:.5g}", f"{row['new_slots_per_s']:.5g}",
                  cell(row), f"{row['low']:.3f}", f"{row['high']:.3f}",
                  f"{row['best']:.3f}", bound(row)]
                 for row in rows], markdown)


def section(title, lines, markdown):
    return [f"**{title}**" if markdown else title, *([""] if markdown else []), *lines, ""]


def text(result, markdown=False):
    """All that is said of a result."""
    rows = result["rows"]
    head = (f"{result['backend']} ({'; '.join(result['devices']) or 'no run'}), {result['date']}: "
            f"new over old slots per second; pairs a row: {result['repeat']}, seconds of a run: "
            f"{result['seconds']:g}; old: {result['old']}; new: {result['new']}; rows by order: "
            f"20 MHz, 16QAM, inverter {result['inverter']}. !: loses more than its bound.")
    lines = [head, ""]
    figures = [row for row in rows if row["kind"] == "figure"]
    if figures:
        lines += section("Rows with stored figures", rows_grid(figures, markdown), markdown)
    for where, table in by_order(row for row in rows if row["kind"] == "order").items():
        body = [[name, *(cell(cells[c]) if c in cells else "-" for c in COLUMNS)]
                for name, cells in table.items()]
        titles = [f"{output}, {csi}" for output, csi in COLUMNS]
        lines += section(where, grid(["tx x rx, detector", *titles], body, markdown), markdown)
    slow = sorted((row for row in rows if lost(row) or row["ratio"] < 1 - LISTED),
                  key=lambda row: row["ratio"])
    if slow:
        lines += section(f"Lost more than {100 * LISTED:.0f} %, or than their bound",
                         rows_grid(slow, markdown), markdown)
    widest = sorted(row["high"] / row["low"] - 1 for row in rows)
    if widest:
        lines.append(f"rows: {len(rows)}, {sum(map(lost, rows))} marked; spread of a row's pairs: "
                     f"median {100 * widest[len(widest) // 2]:.1f} %, "
                     f"largest {100 * widest[-1]:.1f} %")
    for reason, n in collections.Counter(r["reason"] for r in result["left_out"]).most_common():
        lines.append(f"left out: {n}, which both refuse: {reason}")
    for row in result["failed"]:
        lines.append(f"FAILED {row['name']}: {row['reason']}")
    if result["missing"]:
        lines.append(f"missing: {len(result['missing'])}, from {result['missing'][0]} on "
                     "(--resume goes on)")
    return "\n".join(lines) + "\n"
