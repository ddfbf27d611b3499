import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { type ClockShown, type PageParts, type PanelAct, type Switches, serviceFaults, slackFaults } from "../wire.ts";
import { Activity } from "./activity.tsx";
import { Tables } from "./tables.tsx";
import { dayAndTime, useNow } from "./time.ts";

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
        {tab === "activity" && <Activity lines={activity} zone={viewer.zone} />}
        {tab === "service" && (
          <>
            <section aria-label="Address">
              <p class="remark">Call the service yourself. The key is made up and works only here.</p>
              <pre>{`curl -H "Authorization: AccessKey ${service.apiKey}" ${service.baseUrl}/api/Actions`}</pre>
            </section>
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
function ClockControls({ clock, zone, perform }: ClockControlsProps) {
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

interface FaultSwitchesProps {
  readonly switches: Switches;
  readonly perform: (act: PanelAct) => Promise<void>;
}

const serviceTexts: Readonly<Record<(typeof serviceFaults)[number], string>> = {
  none: "Works",
  down: "Down: connections are refused",
  slow: "Slow: every answer takes four seconds",
  lost: "Lost answer: the next change is made, but Curfew gets no answer",
};

const slackTexts: Readonly<Record<(typeof slackFaults)[number], string>> = {
  none: "Works",
  down: "Down: Curfew's calls are disconnected",
  limited: "Rate limited: the next three calls get 429",
};

/** Switches that make the service or Slack fail. */
function FaultSwitches({ switches, perform }: FaultSwitchesProps) {
  return (
    <section aria-label="Faults">
      <h3>Faults</h3>
      <Choice
        legend="The service"
        texts={serviceTexts}
        choices={serviceFaults}
        chosen={switches.service}
        onChoose={(fault) => void perform({ kind: "service", fault })}
      />
      <Choice
        legend="Slack"
        texts={slackTexts}
        choices={slackFaults}
        chosen={switches.slack}
        onChoose={(fault) => void perform({ kind: "slack", fault })}
      />
    </section>
  );
}

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly T[];
  readonly texts: Readonly<Record<T, string>>;
  readonly chosen: string;
  readonly onChoose: (choice: T) => void;
}

function Choice<T extends string>({ legend, choices, texts, chosen, onChoose }: ChoiceProps<T>) {
  const group = useId();
  return (
    <fieldset class="ticks">
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input type="radio" name={group} checked={choice === chosen} onChange={() => onChoose(choice)} />
          <span>{texts[choice]}</span>
        </label>
      ))}
      {chosen === "other" && <p class="remark">A script has planned another fault.</p>}
    </fieldset>
  );
}

interface TabsProps<T extends string> {
  /** Titles, in order. */
  readonly tabs: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  /** The content of the chosen tab. */
  readonly children: ComponentChildren;
}

/** Tabs with arrow key navigation. */
function Tabs<T extends string>({ tabs, chosen, onChoose, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // Object.keys loses the key type.
  const names = Object.keys(tabs) as T[];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = names.at((names.indexOf(chosen) + step) % names.length);
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next}`)}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" ref={list} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
