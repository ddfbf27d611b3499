import { useState } from "preact/hooks";
import type { ActivityLine } from "../../wire.ts";
import { dayAndTime } from "../format-time.ts";

interface ActivityProps {
  readonly lines: readonly ActivityLine[];
  readonly zone: string;
}

/** The activity log, newest first. */
export function Activity({ lines, zone }: ActivityProps) {
  const [hasCalls, setHasCalls] = useState(false);
  const shown = lines.filter(({ kind, isTrouble }) => kind !== "slack" || isTrouble || hasCalls);
  return (
    <>
      <label class="tick">
        <input type="checkbox" checked={hasCalls} onChange={(event) => setHasCalls(event.currentTarget.checked)} />
        Show Curfew's calls to Slack
      </label>
      {shown.length === 0 && (
        <p class="remark">No activity yet. You will see what people do and how Curfew calls the service.</p>
      )}
      <ol class="activity" reversed>
        {shown.toReversed().map((line) => (
          <Line key={line.id} line={line} zone={zone} />
        ))}
      </ol>
    </>
  );
}

const kinds: Readonly<Record<ActivityLine["kind"], string>> = {
  person: "Person",
  service: "Curfew → service",
  slack: "Curfew → Slack",
  run: "Schedule",
};

function Line({
  line: { kind, at, text, outcome, isTrouble, details },
  zone,
}: {
  readonly line: ActivityLine;
  readonly zone: string;
}) {
  return (
    <li class={`activity-${kind}`}>
      <p class="activity-head">
        <span>{kinds[kind]}</span>
        <time dateTime={new Date(at).toISOString()}>{dayAndTime(at, zone)}</time>
      </p>
      <p>
        {text}
        {outcome !== "" && <span class={isTrouble ? "outcome trouble" : "outcome"}> {outcome}</span>}
      </p>
      {details !== "" && (
        <details>
          <summary>{kind === "run" ? "Resources" : "Request body"}</summary>
          <pre>{details}</pre>
        </details>
      )}
    </li>
  );
}
