import { useId } from "preact/hooks";
import { type GuideStep, guideSteps, type Guide as Progress } from "../wire.ts";
import { useKept } from "./use-kept.ts";
import type { Route } from "./use-route.ts";

/** What a step asks for: to be somebody somewhere, to send a line there unless it is empty, and what to do then. */
interface StepText {
  readonly title: string;
  readonly as: string;
  readonly where: string;
  readonly line: string;
  readonly after: string;
}

interface GuideProps {
  readonly progress: Progress;
  /** The name of the slash command. */
  readonly command: string;
  readonly onTry: (step: Pick<Route, "as" | "where"> & { readonly text: string }) => void;
  readonly onDismiss: () => void;
}

/** A newcomer's first minute. A step is done when it has happened, however it was done. */
export function Guide({ progress, command, onTry, onDismiss }: GuideProps) {
  const id = useId();
  const [isFolded, setIsFolded] = useKept("curfew-guide-folded");
  const { done } = progress;
  const next = guideSteps.find((step) => !done.includes(step));
  const texts = stepTexts(command, progress);
  return (
    <section class="guide" aria-labelledby={id}>
      <header>
        <h2 id={id}>{next === undefined ? "That was Curfew in a minute" : "Curfew in a minute"}</h2>
        <span class="remark">
          {done.length} of {guideSteps.length}
        </span>
        <button type="button" class="button link" aria-expanded={!isFolded} onClick={() => setIsFolded(!isFolded)}>
          {isFolded ? "Unfold" : "Fold"}
        </button>
        <button type="button" class="button link" onClick={onDismiss}>
          Dismiss
        </button>
      </header>
      {!isFolded && (
        <ol>
          {guideSteps.map((step) => (
            <Step
              key={step}
              text={texts[step]}
              isDone={done.includes(step)}
              isNext={step === next}
              onTry={() => onTry({ ...texts[step], text: texts[step].line })}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

interface StepProps {
  readonly text: StepText;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly onTry: () => void;
}

function Step({ text: { title, as, where, line, after }, isDone, isNext, onTry }: StepProps) {
  return (
    <li class={isDone ? "done" : isNext ? "next" : ""} aria-current={isNext ? "step" : undefined}>
      <span class="step-title">
        <span aria-hidden="true">{isDone ? "✓" : "○"}</span> {title}
        {isDone && <span class="for-readers"> (done)</span>}
      </span>
      {isNext && (
        <div class="step-how">
          <p>
            {line === "" ? after : <LineOf {...{ as, where, line }} />}{" "}
            <button type="button" class="button plain" onClick={onTry}>
              {line === "" ? `Go there as ${as}` : "Put it in the line"}
            </button>
          </p>
          {line !== "" && <p>{after}</p>}
        </div>
      )}
    </li>
  );
}

function LineOf({ as, where, line }: Pick<StepText, "as" | "where" | "line">) {
  return (
    <>
      As {as}, in #{where}: <code>{line}</code>
    </>
  );
}

function stepTexts(command: string, progress: Progress): Readonly<Record<GuideStep, StepText>> {
  const alice = { as: "alice", where: "ops" };
  return {
    line: {
      title: "Keep two machines running, by a line",
      ...alice,
      line: `${command} exclude i-0a1 i-0a2 for 2h --reason "demo"`,
      after: "Press Enter. You are told, and the channel gets a card.",
    },
    form: {
      title: "The same by the form",
      ...alice,
      line: `${command} exclude`,
      after:
        "Enter a resource id such as i-0a1 and send it. Type and project are needed only where the id does not tell them.",
    },
    refused: {
      title: "Be refused as someone else",
      as: "dave",
      where: "ops",
      line: `${command} user disable bob`,
      after: "Dave has no role: he is told who could do it.",
    },
    approved: {
      title: "Approve what another person asks for",
      ...(progress.askedIn === null
        ? { as: "bob", where: "ops", line: `${command} user remove-mfa alice google-auth` }
        : { as: "carol", where: progress.askedIn, line: "" }),
      after: approvalHint(progress),
    },
    undone: {
      title: "Undo",
      ...alice,
      line: "",
      after: "In #ops, find an answer to alice (“You excluded …”, visible to nobody else) and press its Undo.",
    },
  };
}

function approvalHint({ askedIn, isDoneUnasked }: Progress): string {
  if (askedIn !== null) {
    return `A card waits for a second person: become carol, an admin, and press Approve on it in #${askedIn}.`;
  }
  return isDoneUnasked
    ? "It was done at once: this config asks nobody for a second yes. An entry under approvals would."
    : "Send the form. What the config wants approved then waits on a card for a second person.";
}
