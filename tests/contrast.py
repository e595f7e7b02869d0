"""How well an ink can be read on its paper."""

from matplotlib.colors import to_rgb


def contrast(ink, paper):
    """As WCAG defines it, of any two colours that Matplotlib knows."""

    def light(colour):
        red, green, blue = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in to_rgb(colour)
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((light(ink), light(paper)))
    return (bright + 0.05) / (dark + 0.05)
