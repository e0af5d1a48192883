"""The style sheet of the report, for phones, desktops and paper."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light; }
body { max-width: 54rem; margin: 0 auto; padding: 1rem; color: #1d2329; background: #fff;
  font: 16px/1.55 system-ui, "Noto Sans", "Noto Sans KR", "Noto Sans JP", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .3rem; border-bottom: 1px solid #d6dbe0; padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { max-width: 44rem; }
figure { margin: .8rem 0; overflow-x: auto; }
figure svg { width: 100%; max-width: 40rem; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums;
  margin: .4rem 0 1rem; }
th, td { text-align: right; padding: .22rem .7rem; border-bottom: 1px solid #e4e8ec; }
td span { white-space: nowrap; }
td > b { font-weight: inherit; }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 7rem; }
th { font-weight: 600; color: #4a5560; }
summary { cursor: pointer; color: #33688d; margin: .4rem 0; }
footer { margin-top: 2.5rem; color: #77808a; font-size: .85rem; }
@media screen and (max-width: 36rem) {
  .wide table, .wide tbody, .wide tr { display: block; }
  .wide thead { display: none; }
  .wide tr { border-bottom: 1px solid #e4e8ec; padding: .3rem 0; }
  .wide td { display: flex; justify-content: space-between; gap: .8rem; border: 0; padding: .1rem 0; }
  .wide td:first-child { display: block; font-weight: 600; }
  .wide td::before { content: attr(data-head); color: #4a5560; text-align: left; }
  td > b { overflow-wrap: anywhere; }
}
.lead { border-left: 4px solid #33688d; padding-left: 1rem; }
.lead h2 { margin-top: 0; border: 0; }
@page { size: A4; margin: 11mm; }
@media print {
  body { max-width: none; padding: 0; columns: 2; column-gap: 8mm; font-size: 8.5pt; line-height: 1.35; }
  h1, .lead { column-span: all; }
  h1 { font-size: 15pt; margin: 0 0 3mm; }
  h2 { font-size: 11pt; margin: 3mm 0 1mm; }
  h3 { font-size: 9pt; margin: 2mm 0 .5mm; }
  h2, h3, section > p { break-after: avoid; }
  p, ul { margin: 1mm 0; break-inside: avoid; }
  figure { margin: 1mm 0; break-inside: avoid; overflow: visible; }
  figure svg { width: 100%; max-height: 105mm; }
  table { font-size: 7pt; margin: 1mm 0; }
  th, td { padding: .3mm 1mm; }
  tr { break-inside: avoid; }
  .wide { overflow: visible; column-span: all; }
  details { display: none; }
}
"""
