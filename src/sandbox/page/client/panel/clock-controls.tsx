import { useState } from "preact/hooks";
import type { ClockShown, PanelAct } from "../../wire.ts";
import { dayAndTime } from "../format-time.ts";
import { useNow } from "../hooks/use-now.ts";

interface ClockControlsProps {
  readonly clock: ClockShown;
  readonly zone: string;
  readonly perform: (act: PanelAct) => Promise<void>;
}

const minuteMs = 60_000;
const steps = [
  { text: "15 minutes", ms: 15 * minuteMs },
  { text: "1 hour", ms: 60 * minuteMs },
  { text: "6 hours", ms: 360 * minuteMs },
  { text: "1 day", ms: 1440 * minuteMs },
] as const;

/** Moves the shared clock of workspace, service and Curfew forward. */
export function ClockControls({ clock, zone, perform }: ClockControlsProps) {
  const now = useNow(clock.aheadMs);
  const [isMoving, setIsMoving] = useState(false);
  const moveTo = async (at: number) => {
    setIsMoving(true);
    await perform({ kind: "clock", to: Math.round(at) });
    setIsMoving(false);
  };
  return (
    <section aria-label="Clock">
      <h3>Clock</h3>
      <p role="status">
        It is {dayAndTime(now, zone)} ({zone}){clock.aheadMs > 0 ? ", ahead of real time" : ""}.
      </p>
      <p class="remark">Move the clock forward to trigger reminders, exclusion ends and scheduled runs.</p>
      <div class="block-actions">
        {steps.map(({ text, ms }) => (
          <button
            key={text}
            type="button"
            class="button plain"
            disabled={isMoving}
            onClick={() => void moveTo(now + ms)}
          >
            + {text}
          </button>
        ))}
      </div>
      {clock.stops.length > 0 && (
        <>
          <h4>Jump to an event</h4>
          <ul class="stops">
            {clock.stops.map(({ at, text }) => (
              <li key={`${at} ${text}`}>
                <button type="button" class="button link" disabled={isMoving} onClick={() => void moveTo(at)}>
                  {dayAndTime(at, zone)}
                </button>{" "}
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
