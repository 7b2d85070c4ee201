import type { Words } from "../words/words.ts";

export interface Problem {
  /** SurveyJS's name of the question. */
  name: string;
  title: string;
  text: string;
}

export const summaryId = "problems";

interface ErrorSummaryProps {
  problems: readonly Problem[];
  words: Words;
  onProblem: (problem: Problem) => void;
}

/** The caller focuses it when it appears (`summaryId`). */
export function ErrorSummary({ problems, words, onProblem }: ErrorSummaryProps) {
  if (problems.length === 0) return null;
  return (
    <section id={summaryId} class="problems" tabIndex={-1} role="alert" aria-labelledby="problems-title">
      <h2 id="problems-title">{words.errorsTitle}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem.name}>
            <a
              href={`#${problem.name}`}
              onClick={(event) => {
                event.preventDefault();
                onProblem(problem);
              }}
            >
              {problem.title || problem.text}
            </a>
            {problem.title && <span> {problem.text}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
