import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  input,
  linkedSignal,
  signal,
} from '@angular/core';
import { BarChart } from './bar-chart';
import type { Bar, Chart, Machine, Question } from './chart';

/** The one with this name or id; the first where there is none. */
function find<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  return all.find((one) => one.id === id) ?? all[0]!;
}

/** Every chart of the newest results: of a machine, of a scenario, of a kind of work. */
@Component({
  selector: 'app-chart-chooser',
  imports: [BarChart],
  template: `
    <section class="chooser" aria-label="Charts of the newest results">
      <div class="choices">
        <label>
          Machine
          <select #byMachine (focus)="load()" (change)="machineName.set(byMachine.value)">
            @for (one of machines(); track one.name) {
              <option [value]="one.name" [selected]="one === machine()">{{ one.name }}</option>
            }
          </select>
        </label>
        <label>
          Scenario
          <select #byQuestion (focus)="load()" (change)="questionId.set(byQuestion.value)">
            @for (one of machine().questions; track one.id) {
              <option [value]="one.id" [selected]="one === question()">
                {{ one.id }}: {{ one.title }}
              </option>
            }
          </select>
        </label>
        <label>
          Chart
          <select #byChart (focus)="load()" (change)="chartId.set(byChart.value)">
            @for (one of question().charts; track one.id) {
              <option [value]="one.id" [selected]="one === chart()">{{ one.title }}</option>
            }
          </select>
        </label>
      </div>
      <app-bar-chart
        [chart]="view().chart"
        [heading]="view().question.title + ': ' + view().chart.title"
        [note]="note()"
      />
    </section>
  `,
})
export class ChartChooser {
  readonly machines = input.required<readonly Machine[]>();
  /** The chart to begin with. */
  readonly shown = input.required<Chart>();
  protected readonly machineName = linkedSignal(() => this.machines()[0]!.name);
  protected readonly machine = computed(
    () => this.machines().find(({ name }) => name === this.machineName()) ?? this.machines()[0]!,
  );
  protected readonly questionId = linkedSignal({
    source: this.machine,
    computation: () => 'browser',
  });
  protected readonly question = computed(() => find(this.machine().questions, this.questionId()));
  protected readonly chartId = linkedSignal({
    source: this.question,
    computation: () => this.shown().id,
  });
  protected readonly chart = computed(() => find(this.question().charts, this.chartId()));
  /** Those of all charts, once a reader turns to the choices. */
  readonly #bars = signal<Bars | undefined>(undefined);
  protected readonly view = linkedSignal<View | undefined, View>({
    source: () => this.#chosen(),
    // Until the bars are loaded the earlier chart stays.
    computation: (chosen, previous) =>
      chosen ?? previous?.value ?? { question: this.question(), chart: this.shown() },
  });
  protected readonly note = computed(() => {
    const { question } = this.view();
    return `${this.machine().description}. ${question.date}, commit ${question.commit}.`;
  });

  constructor() {
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    // Read now: the application puts the selects of a document that it takes over back to its own choice.
    const [machine, question, chart] = Array.from(
      host.querySelectorAll('select'),
      ({ value }) => value,
    );
    afterNextRender(() => {
      if (machine !== undefined) this.#choose(machine, question!, chart!);
    });
  }

  /** Takes over what a reader has chosen before the application was there. */
  #choose(machine: string, question: string, chart: string): void {
    const before = this.chart();
    this.machineName.set(machine);
    this.questionId.set(question);
    this.chartId.set(chart);
    if (this.chart() !== before) this.load();
  }

  protected load(): void {
    // A failure leaves the shown chart; the next choice tries again.
    import('../../../generated/content/bars').then(
      ({ bars }) => this.#bars.set(bars),
      () => undefined,
    );
  }

  #chosen(): View | undefined {
    const [question, head] = [this.question(), this.chart()];
    const bars = this.#bars()?.[`${this.machine().name} ${question.id} ${head.id}`];
    return bars && { question, chart: { ...head, bars } };
  }
}

type Bars = Readonly<Record<string, readonly Bar[]>>;

interface View {
  readonly question: Question;
  readonly chart: Chart;
}
