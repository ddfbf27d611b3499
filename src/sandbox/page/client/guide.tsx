import { useId, useState } from "preact/hooks";
import { type GuideStep, guideSteps, type Guide as Progress } from "../wire.ts";
import type { Route } from "./route.ts";

/** A step: become `as`, go to `where`, send `line` unless it is empty, then do what `after` says. */
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

/** As in layout.css. There the messages need the height, so the guide starts as one line. */
const phone = "(max-width: 48rem)";

/** The first steps for newcomers. A step counts as done when its effect happened, no matter how. */
export function Guide({ progress, command, onTry, onDismiss }: GuideProps) {
  const id = useId();
  const [isFolded, setIsFolded] = useStoredFlag("curfew-guide-folded", matchMedia(phone).matches);
  const { done } = progress;
  const next = guideSteps.find((step) => !done.includes(step));
  const texts = stepTexts(command, progress);
  return (
    <section class="guide" aria-labelledby={id}>
      <header>
        <h2 id={id}>{next === undefined ? "Done: Curfew in a minute" : "Curfew in a minute"}</h2>
        <span class="remark">
          {done.length} of {guideSteps.length}
        </span>
        <button type="button" class="button link" aria-expanded={!isFolded} onClick={() => setIsFolded(!isFolded)}>
          {isFolded ? "Show" : "Hide"}
        </button>
        {!isFolded && (
          <button type="button" class="button link" onClick={onDismiss}>
            Dismiss
          </button>
        )}
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
              {line === "" ? `Go there as ${as}` : "Fill in this line"}
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
      title: "Keep two machines running with a command",
      ...alice,
      line: `${command} exclude i-0a1 i-0a2 for 2h --reason "demo"`,
      after: "Press Enter. You get an answer, and the channel gets a card.",
    },
    form: {
      title: "Do the same with a form",
      ...alice,
      line: `${command} exclude`,
      after:
        "Enter a resource id, for example i-0a3, and submit the form. Type and project are needed only if Curfew can't find them from the id.",
    },
    refused: {
      title: "See a request refused",
      as: "dave",
      where: "ops",
      line: `${command} user disable bob`,
      after: "Dave has no role. The reply says who can do this.",
    },
    approved: {
      title: "Approve another person's request",
      ...(progress.approvalChannel === null
        ? { as: "bob", where: "ops", line: `${command} user remove-mfa alice google-auth` }
        : { as: "carol", where: progress.approvalChannel, line: "" }),
      after: approvalHint(progress),
    },
    undone: {
      title: "Undo",
      ...alice,
      line: "",
      after: "In #ops, find Curfew's answer to alice (“You excluded …”, visible only to her) and press Undo.",
    },
    warned: {
      title: "Be warned before machines stop",
      ...alice,
      line: "",
      after:
        "Under Behind the scenes, jump to the warning that staging stops. It comes in #ops, half an hour before. Press Tonight on it.",
    },
  };
}

function approvalHint({ approvalChannel, isDoneWithoutApproval }: Progress): string {
  if (approvalChannel !== null) {
    return `A card is waiting for approval. Act as carol, an admin, and press Approve on the card in #${approvalChannel}.`;
  }
  return isDoneWithoutApproval
    ? "This was done without approval, because this config requires none. Add an entry under approvals to require it."
    : "Submit the form. If the config requires approval, a card then waits for a second person.";
}

/** A boolean that this browser stores. `initial` until it is set. */
export function useStoredFlag(name: string, initial = false): readonly [boolean, (isSet: boolean) => void] {
  const [isSet, setIsSet] = useState(() => read(name) ?? initial);
  return [
    isSet,
    (next) => {
      setIsSet(next);
      store(name, next);
    },
  ];
}

/** Undefined when it was never set, or in a browser that blocks storage. */
function read(name: string): boolean | undefined {
  try {
    const stored = localStorage.getItem(name);
    return stored === null ? undefined : stored === "yes";
  } catch {
    return undefined;
  }
}

function store(name: string, isSet: boolean): void {
  try {
    localStorage.setItem(name, isSet ? "yes" : "no");
  } catch {
    // The setting lasts only until the page is reloaded.
  }
}
