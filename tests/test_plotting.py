"""Figures hold what they should show; how they look is for the eye."""

import base64
import io
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from contrast import contrast
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
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


def test_a_projection_meets_the_line_through_u_at_a_right_angle(ax):
    u, v = np.array([4.0, 3.0]), np.array([-3.0, -1.0])
    plotting.projection(ax, u, v)
    _, down, bar = (np.column_stack(line.get_data()) for line in ax.lines)
    assert bar[0] == pytest.approx([0, 0])
    assert bar[1] == pytest.approx(down[1])
    assert down[0] == pytest.approx(v)
    assert (down[1] - v) @ u == pytest.approx(0)
    assert bar[1] == pytest.approx(-3 * u / 5)  # as long as u · v / 5 says
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["u", "v"]


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


def marked(ax, kind):
    """The squares, row and column, that hold a dot, a star or a cross."""
    points = {"dot": 0, "star": 1, "cross": 2}[kind]
    scattered = [c for c in ax.collections if isinstance(c, PathCollection)]
    return {(int(y), int(x)) for x, y in scattered[points].get_offsets()}


def test_a_mask_has_a_dot_where_a_query_may_attend_and_a_cross_elsewhere():
    mask = np.tri(2, 3, dtype=bool)
    figure, axes = plotting.permissions({"a": mask, "b": ~mask}, "qr", "abc")
    assert marked(axes[0], "dot") == marked(axes[1], "cross")
    assert marked(axes[0], "dot") == {(0, 0), (1, 0), (1, 1)}
    assert marked(axes[1], "dot") == {(0, 1), (0, 2), (1, 2)}
    assert np.array_equal(axes[0].collections[0].get_array(), ~mask)
    assert not marked(axes[0], "star")
    assert [*map(texts, axes)] == [["a"], ["b"]]
    assert labels(axes[0].get_xticklabels()) == ["a", "b", "c"]
    assert labels(axes[0].get_yticklabels()) == ["q", "r"]
    assert axes[0].yaxis_inverted(), "the first query is on top"
    assert (axes[0].get_ylabel(), axes[1].get_xlabel()) == ("query", "key")
    plt.close(figure)


def test_what_happened_though_it_is_not_allowed_is_a_star():
    allowed, happened = np.tri(2, dtype=bool), np.array([[True, True], [False, True]])
    figure, (ax,) = plotting.permissions(
        {"model": happened}, "qr", "ab", allowed, axes=("output", "word")
    )
    assert marked(ax, "dot") == {(0, 0), (1, 1)}
    assert marked(ax, "star") == {(0, 1)}
    assert np.array_equal(ax.collections[0].get_array(), ~allowed)
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("output", "word")
    plt.close(figure)


def test_curves_differ_by_marker_as_well_as_colour(ax):
    series = {name: [0.0, 1.0, float(i)] for i, name in enumerate("abcd")}
    plotting.curves(ax, [1.0, 2.0, 3.0], series)
    assert labels(ax.get_legend().get_texts()) == list("abcd")
    assert len({line.get_marker() for line in ax.lines}) == 4
    assert len({to_hex(line.get_color()) for line in ax.lines}) == 4


def test_rows_of_a_curve_are_drawn_as_their_mean_in_a_band(ax):
    series = {"three seeds": [[1.0, 2.0], [3.0, 2.0], [8.0, 5.0]], "one": [0.0, 1.0]}
    plotting.curves(ax, [10.0, 20.0], series)
    mean, one = ax.lines
    assert mean.get_ydata().tolist() == [4, 3]
    assert one.get_ydata().tolist() == [0, 1]
    (band,) = ax.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert corners == {(10, 1), (10, 8), (20, 2), (20, 5)}
    assert to_hex(band.get_facecolor()[0]) == to_hex(mean.get_color())


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


def test_a_ring_names_its_positions_clockwise_from_the_top(ax):
    plotting.ring(ax, ["cat", "dog", "cow", "cat"])
    at = {text.get_text(): text.get_position() for text in ax.texts}
    assert at["1"] == pytest.approx((0, 1))
    assert at["2"] == pytest.approx((1, 0))
    assert at["3"] == pytest.approx((0, -1))
    assert at["4"] == pytest.approx((-1, 0))
    assert at["dog"][0] > 1, "a name stands outside"
    assert texts(ax) == ["1", "cat", "2", "dog", "3", "cow", "4", "cat"]


def test_a_tree_has_a_branch_per_word_and_a_thick_road(ax):
    ways = {(): {"on": 0.7, "off": 0.3}, ("on",): {"top": 0.6, "foot": 0.4}}
    plotting.tree(ax, ways, road=["on", "foot", "</s>"])
    words = {text.get_text(): text.get_position() for text in ax.texts}
    assert words.keys() >= {"<s>", "on", "off", "top", "foot", "0.7", "0.3", "0.6"}
    assert words["<s>"][0] < words["on"][0] < words["top"][0]
    assert words["top"][1] > words["on"][1] > words["foot"][1] > words["off"][1]
    thick = [line.get_linewidth() > 1 for line in ax.lines]
    assert (len(thick), sum(thick)) == (4, 2)


def test_a_way_leads_from_point_to_point_and_shows_what_each_misses(ax):
    targets = {"a": (0, 0), "b": (0, 1), "c": (1, 0)}
    plotting.way(ax, [0.0, 0.5, 1.0], [0.0, 0.5, 0.0], targets, "a way")
    arrows = [text for text in ax.texts if not text.get_text()]
    ends = [(arrow.get_position(), arrow.xy) for arrow in arrows]
    assert ends == [((0, 0), (0.5, 0.5)), ((0.5, 0.5), (1, 0))]
    missed = [line for line in ax.lines if line.get_linestyle() == "--"]
    lengths = [np.ptp(line.get_xydata(), axis=0).tolist() for line in missed]
    assert lengths == [[0, 0], [0.5, 0.5], [0, 0]]
    names = {text.get_text(): text.get_position() for text in ax.texts}
    assert names["b"][1] > 1
    assert names["a"][1] < 0
    assert ax.get_title(loc="left") == "a way"
    with pytest.raises(ValueError, match="longer"):
        plotting.way(ax, [0.0], [0.0], targets)


def test_a_flow_joins_blocks_that_share_a_head(ax):
    rows = [{"x": [0, 0]}, {"q": [1, 2], "k": [1, 2]}, {"h1": [1], "h2": [2]}]
    plotting.flow(ax, [*rows, {"out": [1, 2]}, {"mixed": [0]}])
    arrows = [text for text in ax.texts if not text.get_text()]
    assert len(arrows) == 2 + 4 + 2 + 1
    assert all(arrow.get_position()[1] < arrow.xy[1] for arrow in arrows), "downwards"
    assert texts(ax) == ["x", "q", "k", "h1", "h2", "out", "mixed"]
    colours = [to_hex(patch.get_facecolor()) for patch in ax.patches]
    heads = [0, 0, 1, 2, 1, 2, 1, 2, 1, 2, 0]
    assert colours == [to_hex(plotting.HEADS[head]) for head in heads for _ in range(5)]
    first, second = ax.patches[0].get_bbox(), ax.patches[5].get_bbox()
    assert first.x1 > second.x0, "what is no head's is not cut"
    first, second = ax.patches[10].get_bbox(), ax.patches[15].get_bbox()
    assert first.x1 < second.x0
    one_to_one = [{"a": [1], "b": [2]}, {"c": [1], "d": [2]}]
    plotting.flow(ax, one_to_one)
    assert len([text for text in ax.texts if not text.get_text()]) == len(arrows) + 2


def test_words_fetch_rows_and_equal_words_the_same_one(ax):
    table = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])
    plotting.fetch(ax, ["the", "cat", "the", "the"], ["cat", "the"], table)
    said = texts(ax)
    assert said[:4] == ["1", "−2", "3", "0  cat"]
    assert said[8:16] == ["the", "4", "5", "6", "cat", "1", "−2", "3"]
    assert said[-4:] == ["word", "id", "table", "the sentence"]
    arrows = [text for text in ax.texts if isinstance(text, Annotation)]
    to, away = arrows[::2], arrows[1::2]
    assert [arrow.xyann[1] for arrow in to] == [0, -1, -2, -3]
    assert [arrow.xy[1] for arrow in to] == [-2, -1, -2, -2]
    assert [arrow.xyann[1] for arrow in away] == [-2, -1, -2, -2]
    assert [arrow.xy[1] for arrow in away] == [0, -1, -2, -3]


def test_a_lookup_leads_from_the_query_to_the_answer(ax):
    columns = {
        "key": np.array([[2.0, -1.0], [1.0, 0.0]]),
        "score": np.array([-1.0, 0.0]),
        "voice": np.array([1.0, 3.0]),
        "share": np.array([0.25, 0.75]),
        "value": np.array([8.0, -4.0]),
    }
    plotting.lookup(ax, [5, 6], ["Ana", "Ben"], columns)
    assert texts(ax)[:5] == ["key", "score", "voice", "share", "value"]
    assert texts(ax)[5:8] == ["5", "6", "query"]
    assert texts(ax)[8:15] == ["Ana", "2", "−1", "−1", "1", "0.25", "8"]
    assert texts(ax)[-3:] == ["sum 4", "share × value, added up", "−1"]
    bars = [patch for patch in ax.patches if patch.get_fill()]
    assert [bar.get_width() / 1.6 for bar in bars] == pytest.approx(
        [1 / 3] * 2 + [1] * 2
    )


def test_the_machine_shows_both_sentences_and_the_likeliest_word_first():
    source, target = list("abcd"), list("swxy")
    figure, ax = plotting.machine(source, target, {"z": 0.9, "u": 0.06, "v": 0.04})
    shown = texts(ax)
    assert {*source, *target, "u", "v"} <= {*shown}
    assert shown.count("z") == 2  # beside its bar, and written
    rectangles = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    bars = [patch.get_width() for patch in rectangles if patch.get_x() == 85]
    assert bars == pytest.approx([9, 0.6, 0.4])
    plt.close(figure)
    with pytest.raises(ValueError, match="3 and 4 words"):
        plotting.machine("abc", target, {"z": 1.0})


def test_a_head_has_a_square_for_each_number_and_says_its_shapes():
    figure, ax = plotting.head(t=5, d_model=7, d_k=2, d_v=3)
    shapes = ["5 × 7", "7 × 2", "5 × 2", "7 × 2", "5 × 2", "7 × 3", "5 × 3"]
    shapes += ["5 × 5", "5 × 5", "5 × 3"]
    assert [text for text in texts(ax) if "×" in text] == shapes
    sizes = [text.split(" × ") for text in shapes]
    assert len(ax.patches) == sum(int(rows) * int(columns) for rows, columns in sizes)
    plt.close(figure)
