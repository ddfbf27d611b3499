import type { ActivityLine } from "../wire.ts";
import { dayAndTime, timeOfDay } from "./time.ts";

interface ActivityProps {
  /** Oldest first. */
  readonly lines: readonly ActivityLine[];
  readonly zone: string;
}

/** What people did, newest first, each with what Curfew wrote after it. */
export function Activity({ lines, zone }: ActivityProps) {
  const groups: ActivityLine[][] = [];
  for (const line of lines) {
    const group = line.kind === "person" || line.kind === "run" ? undefined : groups.at(-1);
    if (group === undefined || line.at - (group.at(-1)?.at ?? 0) > maxGapMs) groups.push([line]);
    else group.push(line);
  }
  if (groups.length === 0)
    return <p class="remark">Here you see what Curfew writes to the service, the database and Slack.</p>;
  return (
    <ol class="activity" reversed>
      {groups.toReversed().map((group) => (
        <Group key={group[0]?.id} group={group} zone={zone} />
      ))}
    </ol>
  );
}

/** A line later than this after the one before was caused by a timer. */
const maxGapMs = 60_000;

const kinds: Readonly<Record<ActivityLine["kind"], string>> = {
  person: "Person",
  run: "Schedule",
  service: "Service",
  database: "Database",
  slack: "Slack",
};

function Group({ group, zone }: { readonly group: readonly ActivityLine[]; readonly zone: string }) {
  const [first, ...rest] = group;
  if (first === undefined) return null;
  const { kind, at, text } = first;
  const isCaused = kind === "person" || kind === "run";
  return (
    <li class={`activity-${kind}`}>
      <p class="activity-head">
        {isCaused ? text : "Curfew by itself"}
        <Outcome line={first} />
        <time dateTime={new Date(at).toISOString()} title={dayAndTime(at, zone)}>
          {timeOfDay(at, zone)}
        </time>
      </p>
      <dl>
        {(isCaused ? rest : group).map((line) => (
          <div key={line.id}>
            <dt>{kinds[line.kind]}</dt>
            <dd>
              {line.details === "" ? (
                <>
                  {line.text} <Outcome line={line} />
                </>
              ) : (
                <details>
                  <summary>
                    {line.text} <Outcome line={line} />
                  </summary>
                  <pre>{line.details}</pre>
                </details>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function Outcome({ line: { outcome, isTrouble } }: { readonly line: ActivityLine }) {
  return outcome === "" ? null : <span class={isTrouble ? "outcome trouble" : "outcome"}>{outcome}</span>;
}
