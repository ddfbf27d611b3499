import { useState } from "preact/hooks";
import type { ClockShown, PanelAct } from "../../wire.ts";
import { useNow } from "../use-now.ts";
import { dayAndTime } from "../written.ts";

interface ClockControlsProps {
  readonly clock: ClockShown;
  readonly zone: string;
  readonly perform: (act: PanelAct) => Promise<void>;
}

const minuteMs = 60_000;
const leaps = [
  { text: "15 minutes", ms: 15 * minuteMs },
  { text: "1 hour", ms: 60 * minuteMs },
  { text: "6 hours", ms: 360 * minuteMs },
  { text: "1 day", ms: 1440 * minuteMs },
] as const;

/** Moves the one clock of workspace, service and Curfew forward. */
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
        It is {dayAndTime(now, zone)} ({zone}){clock.aheadMs > 0 ? ", ahead of the real time" : ""}.
      </p>
      <p class="remark">Moving it forward lets happen what falls due: reminders, ends, and runs of the schedules.</p>
      <div class="block-actions">
        {leaps.map(({ text, ms }) => (
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
          <h4>Or to a moment worth seeing</h4>
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
