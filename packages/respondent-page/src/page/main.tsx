// oxlint-disable-next-line import/no-unassigned-import -- polyfills for the later modules
import "./older-browsers.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import "survey-core/survey-core.fontless.min.css";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import "./page.css";
import { openLink } from "./open-link.tsx";
import { reportHeight } from "./embedding.ts";

const root = document.getElementById("page")!;
const code = location.pathname.split("/").at(-1) ?? "";

reportHeight((root.dataset["origins"] ?? "").split(" ").filter(Boolean));
const written = [...root.childNodes];
openLink(root, decodeURIComponent(code)).catch((error: unknown) => {
  // The server-rendered text says that the survey did not start.
  root.replaceChildren(...written);
  throw error;
});
