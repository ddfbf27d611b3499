import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { ActivityLine, PanelFault, PanelTable } from "../wire.ts";
import { dayAndTime, timeOfDay, useNow, useSession } from "./session.ts";

export interface PanelState {
  readonly isOpen: boolean;
  readonly tab: keyof typeof tabs;
}

const tabs = { activity: "Activity", service: "Service", controls: "Time and faults" } as const;

/** The side panel: activity, the embedded service's data, the clock and the faults. */
export function Panel({
  panel,
  onPanel,
}: {
  readonly panel: PanelState;
  readonly onPanel: (next: PanelState) => void;
}) {
  const { service } = useSession();
  const { tab } = panel;
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
        {tab === "activity" && <Activity />}
        {tab === "service" && (
          <>
            <section aria-label="Address">
              <p class="remark">Call the service yourself. The key is made up and works only here.</p>
              <pre>{`curl -H "Authorization: AccessKey ${service.apiKey}" ${service.baseUrl}/api/Actions`}</pre>
            </section>
            <Tables />
          </>
        )}
        {tab === "controls" && (
          <>
            <ClockControls />
            <FaultSwitches />
          </>
        )}
      </Tabs>
    </aside>
  );
}

const minuteMs = 60_000;
const steps = [
  { text: "15 minutes", ms: 15 * minuteMs },
  { text: "1 hour", ms: 60 * minuteMs },
  { text: "6 hours", ms: 360 * minuteMs },
  { text: "1 day", ms: 1440 * minuteMs },
] as const;

/** Moves the shared clock of workspace, service and Curfew forward. */
function ClockControls() {
  const { clock, viewer, perform } = useSession();
  const { zone } = viewer;
  const now = useNow();
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
            {clock.stops.map(({ at, text }, index) => (
              <li key={index}>
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

const serviceTexts: Readonly<Record<PanelFault<"service">, string>> = {
  none: "Works",
  down: "Down: connections are refused",
  slow: "Slow: every answer takes four seconds",
  lost: "Lost answer: the next change is made, but Curfew gets no answer",
};

const slackTexts: Readonly<Record<PanelFault<"slack">, string>> = {
  none: "Works",
  down: "Down: Curfew's calls are disconnected",
  limited: "Rate limited: the next three calls get 429",
};

/** Switches that make the service or Slack fail. */
function FaultSwitches() {
  const { switches, perform } = useSession();
  return (
    <section aria-label="Faults">
      <h3>Faults</h3>
      <Choice
        legend="The service"
        texts={serviceTexts}
        chosen={switches.service}
        onChoose={(fault) => void perform({ kind: "service", fault })}
      />
      <Choice
        legend="Slack"
        texts={slackTexts}
        chosen={switches.slack}
        onChoose={(fault) => void perform({ kind: "slack", fault })}
      />
    </section>
  );
}

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly texts: Readonly<Record<T, string>>;
  readonly chosen: string;
  readonly onChoose: (choice: T) => void;
}

function Choice<T extends string>({ legend, texts, chosen, onChoose }: ChoiceProps<T>) {
  const group = useId();
  return (
    <fieldset class="ticks">
      <legend>{legend}</legend>
      {keysOf(texts).map((choice) => (
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
  readonly tabs: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  readonly children: ComponentChildren;
}

/** Tabs with arrow key navigation. */
function Tabs<T extends string>({ tabs, chosen, onChoose, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const names = keysOf(tabs);
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

/** Object.keys loses the key type. */
const keysOf = <T extends string>(record: Readonly<Record<T, unknown>>) => Object.keys(record) as T[];

/** What people did, newest first, each with what Curfew wrote after it. */
function Activity() {
  const { activity } = useSession();
  const groups: ActivityLine[][] = [];
  for (const line of activity) {
    const group = line.kind === "person" || line.kind === "run" ? undefined : groups.at(-1);
    if (group === undefined || line.at - (group.at(-1)?.at ?? 0) > maxGapMs) groups.push([line]);
    else group.push(line);
  }
  if (groups.length === 0)
    return <p class="remark">Here you see what Curfew writes to the service, the database and Slack.</p>;
  return (
    <ol class="activity" reversed>
      {groups.toReversed().map((group) => (
        <Group key={group[0]?.id} group={group} />
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

function Group({ group }: { readonly group: readonly ActivityLine[] }) {
  const { zone } = useSession().viewer;
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

/** One table of the service's data. Highlights the rows that the latest update added or changed. */
function Tables() {
  const { tables } = useSession();
  const [name, setName] = useState(tables[0]?.name ?? "");
  const id = useId();
  const changed = useChangedRows(tables);
  const table = tables.find((each) => each.name === name);
  return (
    <>
      <label class="label" for={id}>
        Show
      </label>
      <select id={id} value={name} onChange={(event) => setName(event.currentTarget.value)}>
        {tables.map((each) => (
          <option key={each.name} value={each.name}>
            {each.name} ({each.rows.length})
          </option>
        ))}
      </select>
      <ul class="things" aria-label={name}>
        {table?.rows.map((row) => (
          <Item key={row.id} row={row} columns={table.columns} isChanged={changed.has(`${name} ${row.id}`)} />
        ))}
      </ul>
    </>
  );
}

interface ItemProps {
  readonly row: PanelTable["rows"][number];
  readonly columns: readonly string[];
  readonly isChanged: boolean;
}

function Item({ row: { id, cells, isFaded, details }, columns, isChanged }: ItemProps) {
  const [title, ...facts] = cells;
  return (
    <li class={[isFaded ? "faded" : "", isChanged ? "changed" : ""].join(" ")}>
      <p>
        <strong>{title}</strong> <code>{id}</code>
      </p>
      <dl>
        {facts.map((fact, index) => (
          <div key={columns[index + 1]}>
            <dt>{columns[index + 1]}</dt>
            <dd>{fact || "none"}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>All fields</summary>
        <pre>{details}</pre>
      </details>
    </li>
  );
}

function useChangedRows(tables: readonly PanelTable[]): ReadonlySet<string> {
  const before = useRef<ReadonlyMap<string, string> | undefined>();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const contents = tables.flatMap(({ name, rows }) =>
      rows.map(({ id, cells, details }) => [`${name} ${id}`, details + cells.join()] as const),
    );
    const previous = before.current;
    if (previous)
      setChanged(new Set(contents.filter(([key, content]) => previous.get(key) !== content).map(([key]) => key)));
    before.current = new Map(contents);
  }, [tables]);
  return changed;
}
