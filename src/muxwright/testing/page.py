"""The page of a trace: it needs nothing but the files beside it."""

from __future__ import annotations

__all__ = ["PAGE"]

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title>
<style>
body{margin:0;font:14px system-ui,sans-serif;display:grid;grid-template-columns:minmax(18rem,26rem) 1fr;height:100vh;
background:#f4f5f7;color:#24292f}
header{grid-column:1/3;padding:.6rem 1rem;background:#262a33;color:#e8eaf0}
ol{margin:0;padding:0;list-style:none;overflow:auto;background:#fff;border-right:1px solid #d0d7de}
li{padding:.35rem .8rem;border-bottom:1px solid #eef0f3;cursor:pointer;overflow-wrap:anywhere}
li.now{background:#dbe9ff}li.failed b{color:#c2293a}small{color:#6e7781}
main{overflow:auto;padding:1rem}img{max-width:100%}pre{white-space:pre-wrap;color:#c2293a}
</style></head>
<body><header><b>@TITLE@</b> &nbsp; arrow keys: step by step</header><ol id="steps"></ol>
<main><pre id="error"></pre><img id="screen" alt="the screen after the step"></main>
<script type="application/json" id="data">@DATA@</script>
<script>
"use strict";
const steps = JSON.parse(document.getElementById("data").textContent).steps;
const list = document.getElementById("steps");
let now = 0;
steps.forEach((step, number) => {
  const item = document.createElement("li");
  const [name, rest, time] = ["b", "span", "small"].map(kind => document.createElement(kind));
  name.textContent = step.name;
  rest.textContent = " " + step.arguments + " ";
  time.textContent = `${step.pane} ${step.start.toFixed(3)} s, ${(step.duration * 1000).toFixed(1)} ms`;
  item.append(name, rest, time);
  if (step.error) item.className = "failed";
  item.onclick = () => show(number);
  list.append(item);
});
function show(number) {
  if (!steps.length) return;
  now = Math.min(Math.max(number, 0), steps.length - 1);
  [...list.children].forEach((item, place) => item.classList.toggle("now", place === now));
  list.children[now].scrollIntoView({block: "nearest"});
  document.getElementById("error").textContent = steps[now].error;
  let seen = now;
  while (seen > 0 && steps[seen].screen === null) seen--;
  const image = document.getElementById("screen");
  image.hidden = steps[seen].screen === null;
  if (!image.hidden) image.src = `screen-${String(steps[seen].screen).padStart(3, "0")}.svg`;
}
addEventListener("keydown", event => {
  if (event.key === "ArrowDown" || event.key === "ArrowRight") show(now + 1);
  else if (event.key === "ArrowUp" || event.key === "ArrowLeft") show(now - 1);
  else return;
  event.preventDefault();
});
const failed = steps.findIndex(step => step.error);
show(failed < 0 ? steps.length - 1 : failed);
</script></body></html>
"""
