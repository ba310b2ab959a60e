import { useId } from "react";

interface Props<Option extends string> {
  question: string;
  options: readonly Option[];
  labelOf(option: NoInfer<Option>): string;
  chosen: NoInfer<Option>;
  onChoose(option: NoInfer<Option>): void;
}

/** A question with a few answers, of which one is chosen. */
export function Radios<Option extends string>({ question, options, labelOf, chosen, onChoose }: Props<Option>) {
  const name = useId();
  return (
    <fieldset className="mb-5">
      <legend className="mb-1.5 font-[560]">{question}</legend>
      {options.map((option) => (
        <label key={option} className="flex items-baseline gap-2 py-1">
          <input
            type="radio"
            name={name}
            className="accent-brand"
            checked={chosen === option}
            onChange={() => onChoose(option)}
          />
          {labelOf(option)}
        </label>
      ))}
    </fieldset>
  );
}
