import type { Link } from "../saving/link-api.ts";
import type { Words } from "../words/words.ts";

type Style = Link["survey"]["settings"]["display"]["progressStyle"];

/** A survey with more steps gets a bar. */
const mostSteps = 12;

export function Progress(props: { style: Style; position: number; total: number; place: string; words: Words }) {
  const { style, position, total, place, words } = props;
  if (style === "none" || total < 2) return null;
  const percent = Math.round(((position - 1) / total) * 100);
  const steps = style === "steps" && total <= mostSteps ? Array.from({ length: total }, (_, index) => index + 1) : [];
  return (
    <div class={`progress ${style}`}>
      <div
        role="progressbar"
        aria-label={words.progress}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={place}
      >
        {steps.length > 0 ? (
          steps.map((step) => <i key={step} class={stepClass(step, position)} />)
        ) : (
          <b style={{ inlineSize: `${Math.max(percent, 2)}%` }} />
        )}
      </div>
      {style === "percentage" && <span aria-hidden="true">{percent} %</span>}
      {style === "steps" && <span aria-hidden="true">{place}</span>}
    </div>
  );
}

function stepClass(step: number, position: number): string {
  if (step === position) return "here";
  return step < position ? "past" : "";
}
