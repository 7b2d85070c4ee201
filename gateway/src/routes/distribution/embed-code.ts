/** Shows the survey in a frame as high as its content. */
export function iframeCode(url: string, title: string): string {
  const name = frameName(url);
  return `<iframe id="${name}" src="${inHtml(url)}" title="${inHtml(title)}" referrerpolicy="origin" style="width:100%;height:600px;border:0"></iframe>
<script>
(function () {
  var frame = document.getElementById(${inScript(name)});
  window.addEventListener("message", function (event) {
    if (event.source !== frame.contentWindow || event.origin !== ${inScript(new URL(url).origin)}) return;
    if (!event.data || event.data.type !== "canvass:height") return;
    frame.style.height = Math.max(0, Number(event.data.height) || 0) + "px";
  });
})();
</script>
`;
}

export function popupCode(url: string, title: string): string {
  const name = frameName(url);
  return `<button type="button" id="${name}">${inHtml(title)}</button>
<script>
document.getElementById(${inScript(name)}).addEventListener("click", function () {
  window.open(${inScript(url)}, "_blank", "popup,width=720,height=800");
});
</script>
`;
}

/** Unique per link, since one page may show several surveys. */
const frameName = (url: string): string => `canvass-${url.slice(url.lastIndexOf("/") + 1)}`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);

/** Returns a JSON string that cannot end the script element. */
const inScript = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");
