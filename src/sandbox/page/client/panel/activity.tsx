import type { ActivityLine } from "../../wire.ts";
import { dayAndTime } from "../written.ts";

interface ActivityProps {
  readonly lines: readonly ActivityLine[];
  readonly zone: string;
}

const kinds: Readonly<Record<ActivityLine["kind"], string>> = {
  person: "Person",
  service: "Curfew → service",
  slack: "Curfew → Slack",
  run: "Schedule",
};

/** Cause and effect, the latest first. */
export function Activity({ lines, zone }: ActivityProps) {
  if (lines.length === 0) {
    return (
      <p class="remark">
        Nothing yet. What people do, and what Curfew then asks of the service and of Slack, comes here.
      </p>
    );
  }
  return (
    <ol class="activity" reversed>
      {lines.toReversed().map((line) => (
        <li key={line.id} class={`activity-${line.kind}`}>
          <p class="activity-head">
            <span class="kind">{kinds[line.kind]}</span>
            <time>{dayAndTime(line.at, zone)}</time>
          </p>
          <p class="activity-text">
            {line.text}
            {line.outcome !== "" && <span class={line.isTrouble ? "outcome trouble" : "outcome"}> {line.outcome}</span>}
          </p>
          {line.details !== "" && (
            <details>
              <summary>{line.kind === "run" ? "Resources" : "Request"}</summary>
              <pre>{line.details}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
