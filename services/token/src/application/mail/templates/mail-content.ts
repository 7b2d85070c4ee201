import { escapeHtml } from "@canvass/values";
import { oneLine } from "../../../domain/one-line.ts";

/** Plain text: `layOut` escapes it. */
export interface MailOutline {
  subject: string;
  greeting: string;
  opening: string;
  facts: readonly (readonly [string, string])[];
  closing: readonly string[];
  footer: string;
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Renders text and HTML without links or remote content. */
export function layOut(outline: MailOutline): MailContent {
  const { greeting, opening, facts, closing, footer } = outline;
  const width = Math.max(...facts.map(([label]) => label.length), 0) + 2;
  const text = [
    greeting,
    opening,
    facts.map(([label, value]) => `  ${`${label}:`.padEnd(width)}${value}`).join("\n"),
    ...closing,
    `-- \n${footer}`,
  ];
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#555">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  const paragraph = (content: string) => `<p>${escapeHtml(content)}</p>`;
  const html = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(outline.subject)}</title></head>`,
    `<body style="font-family:sans-serif;line-height:1.5;color:#111">`,
    ...[greeting, opening].map(paragraph),
    `<table role="presentation" style="border-collapse:collapse">`,
    ...rows,
    `</table>`,
    ...closing.map(paragraph),
    `<p style="color:#555;font-size:small">${escapeHtml(footer)}</p>`,
    `</body></html>`,
  ];
  return { subject: oneLine(outline.subject), text: `${text.join("\n\n")}\n`, html: `${html.join("\n")}\n` };
}
