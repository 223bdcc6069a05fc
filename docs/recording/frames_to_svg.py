"""Frames of a terminal, a text file each, as one SVG that shows them in turn."""
import html
import pathlib
import sys

WIDTH, HEIGHT, SIZE, SECONDS = 8.4, 18, 14, 0.5  # of a character; of a frame

folder, out = map(pathlib.Path, sys.argv[1:])
frames = []
for file in sorted(folder.iterdir()):
    lines = file.read_text().rstrip().splitlines()
    if lines and (not frames or frames[-1] != lines):
        frames.append(lines)
columns = max(len(line) for lines in frames for line in lines)
rows = max(map(len, frames))
length = SECONDS * len(frames)
share = 100 / len(frames)

parts = [
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * WIDTH + 24:.0f}"'
    f' height="{rows * HEIGHT + 20}" font-family="monospace" font-size="{SIZE}">',
    "<style>text{fill:#d8dee9;white-space:pre}g{visibility:hidden}"
    f"@keyframes f{{0%{{visibility:visible}}{share:.4f}%{{visibility:hidden}}}}"
    f"g{{animation:f {length}s steps(1) infinite}}</style>",
    '<rect width="100%" height="100%" rx="6" fill="#20242c"/>',
]
for i, lines in enumerate(frames):
    parts.append(f'<g style="animation-delay:{i * SECONDS}s">')
    for row, line in enumerate(lines):
        if line.strip():
            parts.append(
                f'<text x="12" y="{(row + 1) * HEIGHT + 4}" xml:space="preserve">{html.escape(line)}</text>'
            )
    parts.append("</g>")
parts.append("</svg>\n")
out.write_text("\n".join(parts))
