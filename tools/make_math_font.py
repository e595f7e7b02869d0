"""Makes the font of the book's formulas from STIX Two Math: `make_math_font.py FILE`.

FILE is STIXTwoMath-Regular of https://github.com/stipub/stixfonts. Needs brotli.
"""

import sys

import nbfiles
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONT = nbfiles.ROOT / "book" / "_static" / "fonts" / "stix-two-math.woff2"
# From, to, both included: what formulas of this field are written with.
KEPT = (
    (0x20, 0x7E),  # ASCII
    *[(sign, sign) for sign in b"\xa0\xac\xb0\xb1\xb7\xd7\xf7"],
    (0x131, 0x131),  # i without its dot
    *[(0x300, 0x304), (0x307, 0x308), (0x30C, 0x30C), (0x338, 0x338)],  # accents
    *[(0x391, 0x3A9), (0x3B1, 0x3C9), (0x3D1, 0x3D5), (0x3F5, 0x3F5)],  # Greek
    *[(0x2016, 0x2016), (0x2026, 0x2026), (0x2032, 0x2033), (0x2061, 0x2064)],
    *[(0x210E, 0x210E), (0x2112, 0x2112), (0x2115, 0x2115), (0x211D, 0x211D)],
    *[(0x2190, 0x2194), (0x21A6, 0x21A6), (0x21D0, 0x21D4)],  # arrows
    *[(0x2200, 0x2209), (0x220F, 0x2213), (0x2217, 0x221E), (0x2223, 0x222B)],
    *[(0x223C, 0x223C), (0x2248, 0x2248), (0x2260, 0x2265), (0x226A, 0x226B)],
    *[(0x2282, 0x2287), (0x2295, 0x2299), (0x22A4, 0x22A5), (0x22C5, 0x22C5)],
    *[(0x22EE, 0x22F1), (0x2308, 0x230B), (0x23DE, 0x23DF), (0x27E8, 0x27E9)],
    *[(0x1D400, 0x1D467), (0x1D4DB, 0x1D4DB), (0x1D6FC, 0x1D71B)],  # bold, italic
)

ROOT_WIDTH = 800


def main(source: str) -> None:
    font = TTFont(source)
    options = Options(layout_features=[], hinting=False, drop_tables=["DSIG"])
    subsetter = Subsetter(options)
    subsetter.populate(
        unicodes=[sign for first, last in KEPT for sign in range(first, last + 1)]
    )
    subsetter.subset(font)
    narrow_roots(font)
    font.flavor = "woff2"
    font.save(FONT)
    print(f"{FONT.relative_to(nbfiles.ROOT)}: {FONT.stat().st_size:,} bytes")


def narrow_roots(font: TTFont) -> None:
    """Give every size of the root sign about the width of the smallest.

    Browsers keep room for the widest beside each root, as MathML Core says.
    """
    variants = font["MATH"].table.MathVariants
    sign = font.getBestCmap()[ord("√")]
    place = variants.VertGlyphCoverage.glyphs.index(sign)
    roots = variants.VertGlyphConstruction[place]
    names = {record.VariantGlyph for record in roots.MathGlyphVariantRecord}
    names |= {part.glyph for part in roots.GlyphAssembly.PartRecords}
    for name in sorted(names):
        width, bearing = font["hmtx"][name]
        by = min(1, ROOT_WIDTH / width)
        glyph = font["glyf"][name]
        glyph.coordinates.scale((by, 1))
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = round(width * by), round(bearing * by)


if __name__ == "__main__":
    main(*sys.argv[1:])
