import { useState } from "preact/hooks";
import type { ActivityLine, ActivityStory } from "../wire.ts";
import { dayAndTime } from "./time.ts";

interface ActivityProps {
  readonly stories: readonly ActivityStory[];
  readonly zone: string;
}

/** What people did and what followed, newest first. */
export function Activity({ stories, zone }: ActivityProps) {
  const [hasCalls, setHasCalls] = useState(false);
  const shown = stories
    .map((story) => ({
      ...story,
      steps: story.steps.filter(({ kind, isTrouble }) => kind !== "slack" || isTrouble || hasCalls),
    }))
    .filter(({ kind, steps, messages }) => kind !== "timer" || steps.length > 0 || messages !== "");
  return (
    <>
      <label class="tick">
        <input type="checkbox" checked={hasCalls} onChange={(event) => setHasCalls(event.currentTarget.checked)} />
        Show Curfew's calls to Slack
      </label>
      {shown.length === 0 && (
        <p class="remark">
          No activity yet. You will see what people do, what Curfew asks of the service, and what it posts.
        </p>
      )}
      <ol class="activity" reversed>
        {shown.toReversed().map((story) => (
          <Story key={story.id} story={story} zone={zone} />
        ))}
      </ol>
    </>
  );
}

const kinds: Readonly<Record<ActivityLine["kind"], string>> = {
  person: "Person",
  timer: "Curfew",
  run: "Schedule",
  service: "Service",
  slack: "Slack",
};

function Story({ story, zone }: { readonly story: ActivityStory; readonly zone: string }) {
  const { kind, at, steps, messages } = story;
  return (
    <li class={`activity-${kind}`}>
      <p class="activity-head">
        <span>{kinds[kind]}</span>
        <time dateTime={new Date(at).toISOString()}>{dayAndTime(at, zone)}</time>
      </p>
      <Line line={story} />
      {(steps.length > 0 || messages !== "") && (
        <ul class="activity-steps">
          {steps.map((step) => (
            <li key={step.id}>
              <Line line={step} />
            </li>
          ))}
          {messages !== "" && (
            <li>
              {kinds.slack}: {messages}
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function Line({ line: { kind, text, outcome, isTrouble, details } }: { readonly line: ActivityLine }) {
  return (
    <>
      <p>
        {kind === "service" || kind === "slack" ? `${kinds[kind]}: ${text}` : text}
        {outcome !== "" && <span class={isTrouble ? "outcome trouble" : "outcome"}> {outcome}</span>}
      </p>
      {details !== "" && (
        <details>
          <summary>{kind === "run" ? "Resources" : "Request body"}</summary>
          <pre>{details}</pre>
        </details>
      )}
    </>
  );
}
