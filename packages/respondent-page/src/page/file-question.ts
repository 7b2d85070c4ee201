import { hasExtension } from "@canvass/questions";
import { CustomError, ElementFactory, Question, Serializer, type SurveyError } from "survey-core";
import { parseAnswerKey } from "@canvass/questions";
import { randomWord } from "../saving/device-store.ts";
import { Refusal } from "../saving/refusal.ts";
import type { FileItem } from "../saving/upload-file.ts";
import type { FileWords } from "../words/words.ts";
import type { SendFile } from "./uploads.ts";

export interface PendingFile {
  id: string;
  name: string;
  /** From 0 to 1. */
  sent: number;
  /** Why the file was rejected; empty while it uploads. */
  problem: string;
  cancel: AbortController;
}

export interface FileHost {
  sendFile: SendFile;
  fileWords: FileWords;
}

const megabyte = 1_048_576;

/** A question that uploads files as soon as they are chosen. Its value lists the uploaded files. */
export class FileQuestion extends Question {
  maxFiles = 1;
  maxSizeMb = 10;
  extensions: readonly string[] = [];

  override getType(): string {
    return "files";
  }

  get files(): readonly FileItem[] {
    return (this.value as FileItem[] | undefined) ?? [];
  }

  get pending(): readonly PendingFile[] {
    return this.getPropertyValue("pending", []) as PendingFile[];
  }

  get words(): FileWords {
    return this.host.fileWords;
  }

  private get host(): FileHost {
    return this.survey as unknown as FileHost;
  }

  add(files: readonly File[]): void {
    this.clearErrors();
    for (const file of files) void this.send(file);
  }

  remove(fileId: string): void {
    const files = this.files.filter((file) => file.fileId !== fileId);
    this.value = files.length > 0 ? files : undefined;
  }

  drop({ id, cancel }: PendingFile): void {
    cancel.abort();
    this.change((all) => all.filter((each) => each.id !== id));
  }

  private async send(file: File): Promise<void> {
    const id = randomWord();
    const cancel = new AbortController();
    const pending: PendingFile = { id, name: file.name, sent: 0, problem: this.problemOf(file), cancel };
    this.change((all) => [...all.filter(({ problem }) => problem === ""), pending]);
    if (pending.problem) return;
    const update = (changes: Partial<PendingFile>) =>
      this.change((all) => all.map((each) => (each.id === id ? { ...each, ...changes } : each)));
    const { elementId } = parseAnswerKey(this.name);
    try {
      const onProgress = (sent: number) => update({ sent });
      const upload = { elementId, file, key: id, cancelled: cancel.signal, onProgress };
      const stored = await this.host.sendFile(upload);
      if (cancel.signal.aborted) return;
      this.change((all) => all.filter((each) => each.id !== id));
      this.value = [...this.files, stored];
    } catch (error) {
      if (!cancel.signal.aborted) update({ problem: this.wordsFor(error) });
    }
  }

  private problemOf({ name, size }: File): string {
    const others = this.files.length + this.pending.filter(({ problem }) => problem === "").length;
    if (others >= this.maxFiles) return this.words.tooMany(this.maxFiles);
    if (size > this.maxSizeMb * megabyte) return this.words.tooLarge(this.maxSizeMb);
    if (size === 0) return this.words.failed;
    return hasExtension(name, this.extensions) ? "" : this.words.wrongType(this.extensions.join(", "));
  }

  private wordsFor(error: unknown): string {
    const { code = "", details = {} } = error instanceof Refusal ? error : {};
    if (code === "file_too_large") return this.words.tooLarge(Number(details["max_bytes"]) / megabyte);
    if (code === "file_type_not_allowed") return this.words.wrongType(this.extensions.join(", "));
    return this.words.failed;
  }

  private change(by: (all: readonly PendingFile[]) => readonly PendingFile[]): void {
    this.setPropertyValue("pending", by(this.pending));
  }

  /** Keeps the respondent on the page during an upload, because the answer would lack that file. */
  protected override onCheckForErrors(errors: SurveyError[], isOnValueChanged: boolean, fireCallback: boolean): void {
    super.onCheckForErrors(errors, isOnValueChanged, fireCallback);
    if (isOnValueChanged || !this.pending.some(({ problem }) => problem === "")) return;
    errors.push(new CustomError(this.words.wait, this));
  }
}

const make = (name: string) => new FileQuestion(name);
const properties = ["maxFiles:number", "maxSizeMb:number", "extensions"];
export function registerFiles(): void {
  Serializer.addClass("files", properties, () => make(""), "question");
  ElementFactory.Instance.registerElement("files", make);
}
