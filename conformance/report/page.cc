#include "conformance/report/page.h"

namespace conformance {

const char kPageStyle[] = R"css(:root {
  color-scheme: light dark;
  --ground: #ffffff; --ink: #1f2328; --quiet: #57606a; --line: #d0d7de; --shade: #f6f8fa;
  --link: #0550ae; --red: #a40e26; --amber: #7d4e00; --green: #116329; --grey: #57606a;
  --violet: #6639ba;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --ink: #e6edf3; --quiet: #9aa4af; --line: #30363d; --shade: #161b22;
    --link: #79b8ff; --red: #ff8f8a; --amber: #e3b341; --green: #6fdd8b; --grey: #9aa4af;
    --violet: #d2a8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 90rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 1rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
small, .source { color: var(--quiet); font-size: .875rem; font-weight: normal; }
code, pre { font: .8125rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; background: var(--shade); border: 1px solid var(--line);
  border-radius: .375rem; padding: .5rem; margin: .25rem 0; }
.flag { white-space: nowrap; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { border-top: 1px solid var(--line); padding: .375rem .5rem; text-align: left;
  vertical-align: top; }
.matrix > thead th { position: sticky; top: 0; background: var(--ground); z-index: 1; }
.matrix > tbody th { font-weight: normal; }
.matrix td { width: 11rem; }
.matrix td small { display: block; }
summary { cursor: pointer; }
summary a { font-weight: 600; }
details:not([open]) > summary .text { display: -webkit-box; -webkit-line-clamp: 2;
  -webkit-box-orient: vertical; overflow: hidden; }
details[open] > summary .text { display: none; }
.chip { display: inline-block; border: 1px solid currentColor; border-radius: 1rem;
  padding: 0 .5rem; font-size: .875rem; white-space: nowrap; color: var(--grey); }
.chip.fail, .chip.unexpected-pass, .chip.non-conformant, .chip.alive { color: var(--red); font-weight: 600; }
.chip.suite-error { color: var(--violet); font-weight: 600; }
.chip.weak, .chip.expected-failure, .chip.partial { color: var(--amber); }
.chip.pass, .chip.conformant, .chip.killed { color: var(--green); }
.claims tbody th { overflow-wrap: normal; }
.causes tbody th { font-weight: normal; }
.failure > summary { color: var(--quiet); }
.wide { overflow-x: auto; }
.conversions th { white-space: nowrap; }
.conversions td small { display: block; min-width: 7rem; }
.part { display: inline-block; margin-right: .5rem; font-size: .875rem; }
.part.non-conformant, .problem { color: var(--red); font-weight: 600; }
.part.not-claimed, .part.not-judged { color: var(--quiet); }
.failure { border-left: .25rem solid var(--red); padding-left: .75rem; margin: .5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem .75rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; }
fieldset { border: 1px solid var(--line); border-radius: .375rem; padding: .25rem .75rem; }
[hidden] { display: none !important; }
.filters label { display: inline-block; margin-right: .75rem; padding: .125rem 0; }
.copy { position: relative; }
.copy pre { padding-right: 4.5rem; }
.copy button { position: absolute; top: .25rem; right: .25rem; font-size: .8125rem; }
@media (max-width: 45rem) {
  .matrix, .matrix > tbody, .matrix > tbody > tr, .matrix > tbody > tr > *,
  .flat, .flat > tbody, .flat > tbody > tr, .flat > tbody > tr > * { display: block;
    width: auto; }
  .matrix > thead, .flat > thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
  .matrix > tbody > tr { border-top: 1px solid var(--line); padding: .375rem 0; }
  .matrix > tbody > tr > * { border: 0; padding: .125rem 0; }
  .matrix > tbody > tr > td::before { content: attr(data-subject) " "; color: var(--quiet); }
  .matrix td small { display: inline; margin-left: .5rem; }
  .flat > tbody > tr { border-top: 1px solid var(--line); padding: .375rem 0; }
  .flat > tbody > tr > * { border: 0; padding: .125rem 0; }
  .matrix > caption, .flat > caption { display: block; }
  dl { grid-template-columns: 1fr; }
}
.filters input[type="search"] { font: inherit; max-width: 100%; }
@media print { .filters, .copy button { display: none; } }
)css";

const char kPageScript[] = R"js("use strict";
const form = document.querySelector(".filters");
const text = document.getElementById("f-text");
const boxes = [...form.querySelectorAll("input[type=checkbox]")];
const rows = [...document.querySelectorAll(".matrix > tbody > tr")];
const contents = rows.map((row) => row.textContent.toLowerCase());
let named = "";  // the id of a row that the address has
const show = () => {
  const words = text.value.toLowerCase().split(/\s+/);
  rows.forEach((row, at) => { row.hidden = !words.every((word) => contents[at].includes(word)); });
  const shown = rows.filter((row) => getComputedStyle(row).display !== "none").length;
  document.getElementById("f-count").textContent = `${shown} of ${rows.length} rows`;
};
// The address names a row, what is searched for, and the boxes that are not as they were.
const save = () => {
  const state = new URLSearchParams();
  if (text.value) state.set("text", text.value);
  const changed = boxes.filter((box) => box.checked !== box.defaultChecked);
  if (changed.length > 0) state.set("changed", changed.map((box) => box.id.slice(2)).join(" "));
  const address = "#" + named + (String(state) && "?" + state);
  if (address !== (location.hash || "#")) history.replaceState(null, "", address);
};
const restore = () => {
  const [name, ...rest] = location.hash.slice(1).split("?");
  if (rest.length > 0) {
    const state = new URLSearchParams(rest.join("?"));
    const changed = (state.get("changed") ?? "").split(" ");
    for (const box of boxes)
      box.checked = box.defaultChecked !== changed.includes(box.id.slice(2));
    text.value = state.get("text") ?? "";
  }
  show();
  named = name;
  const target = document.getElementById(name);
  if (target && target.matches("tr")) {
    target.querySelector("details").open = true;
    if (rest.length > 0) target.scrollIntoView();
  }
  save();
};
for (const element of form.querySelectorAll("[hidden]")) element.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => { show(); save(); });
addEventListener("hashchange", restore);
restore();
for (const box of document.querySelectorAll(".copy")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(box.querySelector("pre").textContent);
    button.textContent = "Copied";
  });
  box.append(button);
}
)js";

}  // namespace conformance
