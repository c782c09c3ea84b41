import { Upload, X } from "lucide";
import { useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Field } from "./fields.tsx";

interface TextFileFieldProps {
  label: string;
  hint?: string;
  /** The parameter of the API whose errors are shown here. */
  param?: string;
  problem?: string;
  value: string;
  onChange: (text: string) => void;
}

/** A text that is pasted, or read from a file that is chosen or dropped on it. */
export function TextFileField({ label, hint, param, problem, value, onChange }: TextFileFieldProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const read = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onChange(await file.text());
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button and the text
    <div
      class="row place-field"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void read(event.dataTransfer?.files);
      }}
    >
      <div class="grow">
        <Field
          {...{ label, hint, param, problem, value, onChange }}
          mono
          lines={4}
          placeholder="Paste it, or drop a file here"
        />
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          void read(currentTarget.files);
          currentTarget.value = "";
        }}
      />
      <Button icon={Upload} label={`Choose a file: ${label}`} onClick={() => chooser.current?.click()} />
      {value !== "" && <Button bare icon={X} label={`Clear ${label}`} onClick={() => onChange("")} />}
    </div>
  );
}
