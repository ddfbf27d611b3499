import { useId } from "preact/hooks";
import { type PanelAct, type Switches, serviceFaults, slackFaults } from "../../wire.ts";

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
export function FaultSwitches({ switches, perform }: FaultSwitchesProps) {
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
