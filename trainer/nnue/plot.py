"""The loss curve as an SVG, without a plotting library."""

WIDTH, HEIGHT, MARGIN = 640, 360, 60


def curve(name, history):
    steps = [point["step"] for point in history]
    lines = {"training": ("#1f6f8b", [point["training"] for point in history]), "held-out": ("#c8553d", [point["loss"] for point in history])}
    values = [value for _, line in lines.values() for value in line]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def x(step):
        return MARGIN + (WIDTH - 2 * MARGIN) * step / steps[-1]

    def y(value):
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (value - low) / span

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH / 2}" y="24" text-anchor="middle" font-size="15">{name}: squared error of expected points</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">steps</text>',
    ]
    for i in range(5):
        value = low + span * i / 4
        parts.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{MARGIN - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.4f}</text>')
    for step in (steps[0], steps[-1]):
        parts.append(f'<text x="{x(step):.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{step}</text>')
    for i, (label, (colour, line)) in enumerate(lines.items()):
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in zip(steps, line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - MARGIN}" y="{MARGIN + 16 * i}" text-anchor="end" fill="{colour}">{label}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)
