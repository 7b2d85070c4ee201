import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createTerminal } from "./terminal.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function record(isTTY: boolean) {
  let text = "";
  const terminal = createTerminal({ isTTY, columns: 40, write: (part) => (text += part) }, () => 0);
  /** Returns the visible text, without overwritten lines. */
  const screen = () => text.split("\n").map((line) => stripVTControlCharacters(line.split("\u001B[2K").at(-1)!));
  return { terminal, screen };
}

test("without a terminal: a line for every finished step and nothing to be written over", () => {
  const { terminal, screen } = record(false);
  terminal.onProgress({ type: "begun", title: "NATS" });
  terminal.onProgress({ type: "note", title: "NATS", note: "downloading it" });
  vi.advanceTimersByTime(1000);
  terminal.onProgress({ type: "done", title: "NATS", ms: 1234 });
  terminal.onProgress({ type: "begun", title: "survey" });
  terminal.onProgress({ type: "failed", title: "survey", ms: 50 });
  expect(screen()).toEqual(["  NATS: downloading it …", "✔ NATS             1.2 s", "✘ survey           0.1 s", ""]);
});

test("on a terminal: a spinner with the steps under way stays below everything else", () => {
  const { terminal, screen } = record(true);
  terminal.onProgress({ type: "begun", title: "PostgreSQL" });
  terminal.onProgress({ type: "begun", title: "NATS" });
  vi.advanceTimersByTime(100);
  terminal.print("a warning");
  terminal.onProgress({ type: "done", title: "NATS", ms: 100 });
  expect(screen().slice(0, 2)).toEqual(["a warning", "✔ NATS             0.1 s"]);
  vi.advanceTimersByTime(100);
  expect(screen().at(-1)).toMatch(/^\S PostgreSQL … 0 s$/);
  terminal.onProgress({ type: "done", title: "PostgreSQL", ms: 200 });
  expect(screen().slice(2)).toEqual(["✔ PostgreSQL       0.2 s", ""]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a spinner never breaks the line", () => {
  const { terminal, screen } = record(true);
  for (const title of ["a rather long title", "and another such title"]) terminal.onProgress({ type: "begun", title });
  vi.advanceTimersByTime(100);
  expect(screen().at(-1)!.length).toBe(39);
  terminal[Symbol.dispose]();
  expect(screen()).toEqual([""]);
});
