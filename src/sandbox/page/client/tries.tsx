import { useState } from "preact/hooks";
import { useSession } from "./session.ts";

/** The channel in which roles of the example config may act. */
export const triedIn = "ops";

/** Until the page is opened again. */
let wasDismissed = false;

/** Lines that work for this person, for newcomers. A press sends the line. */
export function Tries() {
  const { viewer, app, act } = useSession();
  const [isDismissed, setIsDismissed] = useState(wasDismissed);
  const command = app.commands[0]?.command ?? "";
  if (isDismissed) return null;
  const dismiss = () => {
    wasDismissed = true;
    setIsDismissed(true);
  };
  return (
    <section class="tries" aria-label="Lines to try">
      {viewer.tries.length === 0 && <p>Curfew serves full members only. Act as somebody else to use it.</p>}
      {viewer.tries.map((line) => (
        <button
          key={line}
          type="button"
          class="button plain"
          onClick={() => void act({ kind: "type", text: `${command} ${line}`, where: triedIn })}
        >
          {command} {line}
        </button>
      ))}
      <button type="button" class="button icon" aria-label="Dismiss the lines to try" onClick={dismiss}>
        ×
      </button>
    </section>
  );
}
