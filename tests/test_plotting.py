"""Figures hold what they should show; how they look is for the eye."""

import base64
import io
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from contrast import contrast
from matplotlib.colors import to_hex
from matplotlib.text import Annotation
from PIL import Image

from tt_utils import plotting


@pytest.fixture
def ax():
    mpl.use("agg")
    with plt.style.context(plotting.STYLE):
        figure, ax = plt.subplots()
        yield ax
        plt.close(figure)


def labels(ticks):
    return [tick.get_text() for tick in ticks]


def texts(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


WEIGHTS = np.array([[0.25, 0.75, 0.0], [0.9, 0.1, 0.0]])


def test_the_style_is_found_and_see_through():
    with plt.style.context(plotting.STYLE):
        assert mpl.rcParams["savefig.transparent"] or (
            mpl.rcParams["figure.facecolor"] == "none"
        )


def test_queries_keys_and_values_have_the_colours_of_the_book():
    colours = plotting.QUERY, plotting.KEY, plotting.VALUE
    assert colours == ("#0072B2", "#D55E00", "#009E73")


def test_an_arrow_starts_at_the_origin_and_names_its_tip(ax):
    plotting.plane(ax, reach=5.0)
    plotting.arrow(ax, (3.0, 4.0), "q", plotting.QUERY, shift=1.0)
    tip, name = ax.texts
    assert tip.xy == (3, 4)
    assert tip.get_position() == (0, 0)
    assert name.get_text() == "q"
    assert name.get_position() == pytest.approx((3.6, 4.8))
    assert to_hex(name.get_color()) == plotting.QUERY.lower()


def test_the_plane_is_square_and_its_axes_are_named(ax):
    plotting.plane(ax, reach=5.0)
    assert ax.get_xlim() == ax.get_ylim() == (-5, 5)
    assert ax.get_aspect() == 1
    assert ax.get_xlabel()
    assert ax.get_ylabel()


def test_weights_run_from_zero_to_one_with_a_number_in_each_cell(ax):
    plotting.heatmap(ax, WEIGHTS, ["q1", "q2"], ["a", "b", "c"])
    (squares,) = ax.collections
    assert squares.get_clim() == (0, 1)
    assert squares.get_cmap().name == "cividis"
    assert np.array_equal(squares.get_array(), WEIGHTS)
    assert not ax.images, "pixels blur when the page is enlarged"
    assert ax.yaxis_inverted(), "the first row is on top"
    assert labels(ax.get_xticklabels()) == ["a", "b", "c"]
    assert labels(ax.get_yticklabels()) == ["q1", "q2"]
    numbers = {t.get_position(): t.get_text() for t in ax.texts}
    assert numbers[1, 0] == "0.75"
    assert numbers[0, 1] == "0.90"
    assert len(numbers) == 6


def test_signed_values_are_centred_on_zero(ax):
    plotting.heatmap(ax, np.array([[-3.0, 1.0]]), ["r"], ["a", "b"], signed=True)
    assert ax.collections[0].get_clim() == (-3, 3)
    assert texts(ax) == ["-3.0", "1.0"]


def test_numbers_can_be_left_out(ax):
    plotting.heatmap(ax, WEIGHTS, ["q1", "q2"], ["a", "b", "c"], numbers=False)
    assert not texts(ax)


def test_numbers_stand_out_from_their_square(ax):
    plotting.heatmap(ax, WEIGHTS, ["q1", "q2"], ["a", "b", "c"])
    colours = {t.get_text(): t.get_color() for t in ax.texts}
    assert colours["0.00"] == "white", "the low end of cividis is dark"
    assert colours["0.90"] == "black", "its high end is bright"


def test_an_attention_map_has_a_row_for_each_query_and_frames_the_gold_links(ax):
    plotting.attention_map(
        ax, WEIGHTS, ["la", "bola"], ["the", "ball", "."], gold={(2, 1)}
    )
    assert labels(ax.get_yticklabels()) == ["la", "bola"]
    assert labels(ax.get_xticklabels()) == ["the", "ball", "."]
    (frame,) = ax.patches
    assert (frame.get_center() == (2, 1)).all()
    assert to_hex(frame.get_edgecolor()) == plotting.GOLD.lower()
    assert "key" in ax.get_xlabel()
    assert "query" in ax.get_ylabel()


def test_curves_differ_by_marker_as_well_as_colour(ax):
    series = {name: [0.0, 1.0, float(i)] for i, name in enumerate("abcd")}
    plotting.curves(ax, [1.0, 2.0, 3.0], series)
    assert labels(ax.get_legend().get_texts()) == list("abcd")
    assert len({line.get_marker() for line in ax.lines}) == 4
    assert len({to_hex(line.get_color()) for line in ax.lines}) == 4


def test_the_frame_of_a_gold_link_has_a_dark_edge(ax):
    plotting.attention_map(ax, WEIGHTS, ["q", "r"], ["a", "b", "c"], gold={(1, 0)})
    (frame,) = ax.patches
    assert frame.get_path_effects()


def test_a_notebook_gets_each_figure_as_svg_and_as_small_png(ax):
    """It has two dots a pixel, and is the same for the same figure."""
    ax.plot([1, 2], label="a")
    data, size = plotting.small_png(ax.figure)
    assert plotting.small_png(ax.figure)[0] == data
    picture = Image.open(io.BytesIO(base64.b64decode(data)))
    assert picture.mode == "P"
    assert picture.width == pytest.approx(2 * size["width"], abs=1)
    file = io.StringIO()
    ax.figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    points = float(re.search(r'width="([\d.]+)pt"', file.getvalue())[1])
    assert size["width"] == pytest.approx(points * 100 / 72, abs=2)


def test_nothing_drawn_is_no_picture():
    assert plotting.small_png(plt.figure()) is None


def test_ink_can_be_read_on_a_light_page():
    for name in ("text.color", "axes.labelcolor", "xtick.color", "axes.titlecolor"):
        with plt.style.context(plotting.STYLE):
            ink = mpl.rcParams[name]
        assert contrast(ink, "#fdfcfa") > 4.5


def test_the_same_figure_gives_the_same_svg_bytes():
    def drawn():
        with plt.style.context(plotting.STYLE):
            figure, ax = plt.subplots()
            plotting.attention_map(ax, WEIGHTS, ["a", "b"], ["c", "d", "e"])
            file = io.BytesIO()
            figure.savefig(file, format="svg", metadata={"Date": None})
            plt.close(figure)
        return file.getvalue()

    assert drawn() == drawn()


def test_a_network_has_an_arrow_per_link_and_a_thick_road(ax):
    links = [((0, 0), (0, 1)), ((1, 0), (0, 1)), ((1, 0), (1, 1))]
    plotting.network(ax, links, road=links[:1], labels={(0, 0): "cat", (1, 0): "sat"})
    arrows = [text for text in ax.texts if isinstance(text, Annotation)]
    widths = {(a.xyann, a.xy): a.arrow_patch.get_linewidth() for a in arrows}
    assert set(widths) == set(links)
    assert widths[links[0]] > 2 * widths[links[1]] == 2 * widths[links[2]]
    assert texts(ax) == ["cat", "sat"]
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[0, 1]], [[1, 1]]]


def test_pictures_stand_in_rows_with_ink_dark_and_a_title_each():
    images = np.linspace(0, 1, 3 * 2 * 5).reshape(3, 2, 5)
    figure, axes = plotting.pictures(images, titles=["a", "b", "c"], columns=2)
    assert [ax.get_title() for ax in axes] == ["a", "b", "c", ""]
    assert len(axes) == 4
    for ax, image in zip(axes, images, strict=False):
        (squares,) = ax.collections
        assert np.array_equal(squares.get_array(), image)
        assert squares.get_clim() == (0, 1)
    paper, ink = (sum(squares.cmap(value)[:3]) for value in (0.0, 1.0))
    assert ink < paper
    assert not axes[3].collections
    plt.close(figure)


def test_a_frame_lies_on_the_edges_of_its_pixels(ax):
    plotting.frame(ax, (1, 2, 4, 7), "five", dashed=True)
    (patch,) = ax.patches
    assert patch.get_xy() == (0.5, 1.5)
    assert (patch.get_width(), patch.get_height()) == (3, 5)
    assert patch.get_linestyle() == "--"
    assert texts(ax) == ["five"]


def test_each_label_has_a_colour_of_its_own_and_paper_is_white(ax):
    labels = np.arange(11).reshape(1, 11)
    plotting.label_map(ax, labels)
    (squares,) = ax.collections
    colours = [to_hex(c) for c in squares.to_rgba(labels[0])]
    assert colours[0] == "#ffffff"
    assert len(set(colours)) == 11
