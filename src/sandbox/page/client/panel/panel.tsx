import type { PageParts, PanelAct } from "../../wire.ts";
import { Activity } from "./activity.tsx";
import { Address } from "./address.tsx";
import { ClockControls } from "./clock-controls.tsx";
import { FaultSwitches } from "./fault-switches.tsx";
import { Tables } from "./tables.tsx";
import { Tabs } from "./tabs.tsx";

export interface PanelState {
  readonly isOpen: boolean;
  readonly tab: keyof typeof tabs;
}

interface PanelProps {
  readonly parts: PageParts;
  readonly perform: (act: PanelAct) => Promise<void>;
  readonly panel: PanelState;
  readonly onPanel: (panel: PanelState) => void;
}

const tabs = { activity: "Activity", service: "Service", controls: "Time and faults" } as const;

/** The side panel: activity, the embedded service's data, the clock and the faults. */
export function Panel({ parts, perform, panel, onPanel }: PanelProps) {
  const { tab } = panel;
  const { viewer, activity, service, tables, clock, switches } = parts;
  return (
    <aside class="panel" aria-label="Behind the scenes">
      <header>
        <h2>Behind the scenes</h2>
        <button
          type="button"
          class="button icon"
          aria-label="Close the panel"
          onClick={() => onPanel({ ...panel, isOpen: false })}
        >
          ×
        </button>
      </header>
      <Tabs tabs={tabs} chosen={tab} onChoose={(next) => onPanel({ ...panel, tab: next })}>
        {tab === "activity" && <Activity stories={activity} zone={viewer.zone} />}
        {tab === "service" && (
          <>
            <Address service={service} />
            <Tables tables={tables} />
          </>
        )}
        {tab === "controls" && (
          <>
            <ClockControls clock={clock} zone={viewer.zone} perform={perform} />
            <FaultSwitches switches={switches} perform={perform} />
          </>
        )}
      </Tabs>
    </aside>
  );
}
