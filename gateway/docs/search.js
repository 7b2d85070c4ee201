const area = document.querySelector("#documents search");
const field = document.querySelector("#search");
const status = document.querySelector("#search-status");
const list = document.querySelector("#found");
const longestList = 12;

let loading;
/** Loads library and index with the first use. */
const load = () =>
  (loading ??= Promise.all([
    import("/docs/js/minisearch.js"),
    fetch("/docs/search.json").then((answer) => answer.json()),
  ]).then(([{ default: MiniSearch }, { options, index }]) => MiniSearch.loadJS(index, options)));

function entryOf({ url, page, heading, excerpt }) {
  const link = document.createElement("a");
  link.href = url;
  for (const [name, text] of [
    ["b", heading],
    ["span", page],
    ["small", excerpt],
  ])
    link.append(Object.assign(document.createElement(name), { textContent: text }), " ");
  const entry = document.createElement("li");
  entry.append(link);
  return entry;
}

function show(entries, told) {
  list.replaceChildren(...entries);
  list.hidden = entries.length === 0;
  status.textContent = told;
}

async function search() {
  const words = field.value.trim();
  if (words === "") return show([], "");
  try {
    const found = (await load()).search(words);
    if (words !== field.value.trim()) return;
    const told = found.length === 0 ? "Nothing found" : `${found.length} found`;
    show(found.slice(0, longestList).map(entryOf), told);
  } catch {
    loading = undefined;
    show([], "The search does not work now. Try again in a minute.");
  }
}

/** Moves the focus among the field and the results. */
function move(step) {
  const stops = [field, ...list.querySelectorAll("a")];
  const next = stops[stops.indexOf(document.activeElement) + step];
  next?.focus();
}

field.addEventListener("focus", () => load().catch(() => (loading = undefined)));
field.addEventListener("input", () => void search());
area.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Enter" && event.target === field) list.querySelector("a")?.click();
  else if (event.key === "Escape") {
    field.value = "";
    field.focus();
    show([], "");
  } else return;
  event.preventDefault();
});
list.addEventListener("click", () => (list.hidden = true));
document.addEventListener("click", (event) => {
  if (!area.contains(event.target)) show([], "");
});
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes) return;
  event.preventDefault();
  field.focus();
});
area.hidden = false;
