"""How the report looks, on a screen and on paper."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { max-width: 70rem; margin: 0 auto; padding: 1.5rem; background: #fff; color: #1a1a1a;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 2.5rem 0 0.75rem; border-bottom: 2px solid #1a1a1a; }
h3 { font-size: 1.15rem; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 0 0 0.25rem; }
p { max-width: 46rem; margin: 0.5rem 0; }
a { color: #00558b; }
nav ol { margin: 0.25rem 0; padding-left: 1.75rem; }
nav h2 { margin-top: 1rem; }
nav li li { font-size: 0.92rem; }
code { font: 0.92em ui-monospace, Menlo, Consolas, monospace; background: #f2f2f2; padding: 0 0.2em; }
.quick { font-size: 0.8rem; font-weight: 600; border: 1px solid #8a4500; color: #8a4500;
  border-radius: 0.25rem; padding: 0 0.35rem; white-space: nowrap; }
.origin { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; font-size: 0.88rem;
  margin: 0.75rem 0; color: #444; }
.origin dd { margin: 0; }
figure { margin: 1rem 0; }
figure.plot svg { display: block; width: 100%; height: auto; }
figcaption { font-size: 0.9rem; color: #444; max-width: 46rem; margin-top: 0.25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.86rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.25rem; }
th, td { padding: 0.2rem 0.45rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #888; vertical-align: bottom; }
tbody th { font-weight: 600; }
th.number, td.number { text-align: right; }
td.number { white-space: nowrap; }
.faults { border: 2px solid #a40000; padding: 0 1rem; }
@media print {
  @page { margin: 15mm; }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  figure.plot svg { max-height: 212mm; }
  figcaption { font-size: 8.5pt; max-width: none; }
  article { break-before: page; }
  nav { break-after: page; }
  h2, h3, h4, caption { break-after: avoid; }
  figure.plot, .short, tr { break-inside: avoid; }
  thead { display: table-header-group; }
  table { font-size: 7.5pt; }
  table.many { font-size: 6.2pt; }
  th, td { padding: 0.1rem 0.2rem; }
  .quick { white-space: normal; }
  .wide { overflow: visible; }
  a { color: inherit; text-decoration: none; }
}
"""
