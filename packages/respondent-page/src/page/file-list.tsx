import { createElement, type ComponentType } from "react";
import { ReactQuestionFactory, SurveyQuestionElementBase } from "survey-react-ui";
import type { FileQuestion, PendingFile } from "./file-question.ts";

class FileList extends SurveyQuestionElementBase {
  protected override renderElement() {
    const question = this.questionBase as FileQuestion;
    const { files, pending, extensions, maxFiles, isReadOnly, words } = question;
    const choose = (input: HTMLInputElement) => {
      question.add([...(input.files ?? [])]);
      // Without this, choosing the same file again fires no event.
      input.value = "";
    };
    return (
      <div class="files">
        <input
          id={question.inputId}
          type="file"
          multiple={maxFiles > 1}
          disabled={isReadOnly}
          accept={extensions.map((extension) => `.${extension}`).join(",")}
          aria-label={question.title}
          aria-required={question.isRequired}
          onChange={(event) => choose(event.currentTarget)}
        />
        <ul aria-live="polite">
          {files.map(({ fileId, name, size }) => (
            <li key={fileId}>
              <span class="name">{name}</span> <span class="size">{words.size(size)}</span>
              <button
                type="button"
                class="button"
                aria-label={words.remove(name)}
                disabled={isReadOnly}
                onClick={() => question.remove(fileId)}
              >
                ×
              </button>
            </li>
          ))}
          {pending.map((file) => (
            <Pending key={file.id} file={file} question={question} />
          ))}
        </ul>
      </div>
    ) as never;
  }
}

function Pending({ file, question }: { file: PendingFile; question: FileQuestion }) {
  const { name, sent, problem } = file;
  return (
    <li class={problem ? "problem" : "pending"}>
      <span class="name">{name}</span>{" "}
      {problem ? <span role="alert">{problem}</span> : <progress max={1} value={sent} aria-label={name} />}
      <button type="button" class="button" aria-label={question.words.remove(name)} onClick={() => question.drop(file)}>
        ×
      </button>
    </li>
  );
}

export function registerFileList(): void {
  ReactQuestionFactory.Instance.registerQuestion("files", (props) =>
    createElement(FileList as unknown as ComponentType<object>, props as unknown as object),
  );
}
