"""The plots of a report, drawn as SVG by Altair: they need no network and look the same in print."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from jantaku.errors import RequestError
from jantaku.lab.experiment.estimates import Estimate

try:
    import altair as alt
    import vl_convert
except ImportError as error:
    raise RequestError("missing_extra", field="altair", extra="lab") from error

COLOURS: Final = ("#33688d", "#c9792b", "#4f8a5b", "#9a5aa0", "#b04a4a", "#6b6b6b")
_FONT: Final = "Noto Sans, Noto Sans CJK KR, Noto Sans KR, Noto Sans JP, sans-serif"
_WIDTH: Final = 300
_ROW: Final = 20  # pixels

Row = dict[str, Any]


def svg(chart: Any) -> str:
    """Render a chart as SVG."""
    styled = (
        chart.configure(font=_FONT)
        .configure_view(stroke=None)
        .configure_axis(labelLimit=0, labelFontSize=12, titleFontSize=12, titleLimit=0)
        .configure_legend(labelLimit=0)
        .configure_axisX(labelFlush=False, labelOverlap=True, labelSeparation=4)
    )
    return str(vl_convert.vegalite_to_svg(styled.to_dict()))


def estimate_row(name: str, ruleset: str, estimate: Estimate) -> Row:
    """Return a row for ``intervals``."""
    return {
        "name": name,
        "ruleset": ruleset,
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
    }


def intervals(rows: Iterable[Row], title: str, form: str, *, zero: bool = False) -> str:
    """Plot estimates with their intervals, one line per name; ``zero`` draws a line at 0, for differences.

    ``form`` is the number format of the axis, in D3's notation.
    """
    rows = list(rows)
    names = list(dict.fromkeys(row["name"] for row in rows))
    base = _chart(rows).encode(
        y=alt.Y("name:N", sort=names, title=None),
        yOffset=alt.YOffset("ruleset:N", sort=_rulesets(rows)),
        color=_colour(rows),
    )
    scale = alt.Scale(zero=zero)
    line = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=title, scale=scale, axis=alt.Axis(format=form)), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=45, opacity=1).encode(x="value:Q")
    layers = [line, points]
    if zero:
        layers.insert(0, _chart([{"x": 0}]).mark_rule(color="#888").encode(x="x:Q"))
    height = _ROW * len(names) * max(1, len(_rulesets(rows)) * 0.6)
    return svg(alt.layer(*layers).properties(width=_WIDTH, height=height))


def bars(rows: Iterable[Row], title: str, form: str) -> str:
    """Plot shares by group, side by side for each ruleset.

    ``rows`` have ``name``, ``ruleset`` and ``value``; ``form`` is the number format of the axis.
    """
    rows = list(rows)
    names = list(dict.fromkeys(row["name"] for row in rows))
    chart = (
        _chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("name:N", sort=names, title=title, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("ruleset:N", sort=_rulesets(rows)),
            y=alt.Y("value:Q", title=None, axis=alt.Axis(format=form)),
            color=_colour(rows),
        )
    )
    return svg(chart.properties(width=_WIDTH, height=220))


def in_line(rows: Iterable[Row], title: str, now: str, line: str) -> str:
    """Plot each yaku's han under the rules (a bar) and in line with the others (a mark with its interval).

    ``now`` and ``line`` are the labels of the legend.
    """
    rows = list(rows)
    names = [row["name"] for row in rows]
    base = _chart(rows).encode(y=alt.Y("name:N", sort=names, title=None))
    scale = alt.Scale(domain=[now, line], range=[COLOURS[0], COLOURS[1]])
    colour = alt.Color("what:N", title=None, scale=scale, legend=alt.Legend(orient="top", labelFontSize=12))
    bar = (
        base.transform_calculate(what=f"'{now}'")
        .mark_bar(height=9)
        .encode(x=alt.X("han:Q", title=title, axis=alt.Axis(tickMinStep=1)), color=colour)
    )
    fitted = base.transform_calculate(what=f"'{line}'")
    span = fitted.mark_rule(strokeWidth=1.5).encode(x="low:Q", x2="high:Q", color=colour)
    mark = fitted.mark_point(filled=True, size=60, opacity=1).encode(x="in_line:Q", color=colour)
    return svg(alt.layer(bar, span, mark).properties(width=_WIDTH, height=_ROW * len(names)))


def _chart(rows: list[Row]) -> Any:
    return alt.Chart(alt.InlineData(values=rows))


def _rulesets(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["ruleset"] for row in rows))


def _colour(rows: Sequence[Row]) -> Any:
    names = _rulesets(rows)
    scale = alt.Scale(domain=names, range=[COLOURS[i % len(COLOURS)] for i in range(len(names))])
    legend = alt.Legend(orient="top", labelFontSize=12) if len(names) > 1 else None
    return alt.Color("ruleset:N", title=None, scale=scale, legend=legend)
