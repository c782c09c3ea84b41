import { Upload, X } from "lucide";
import { useRef } from "preact/hooks";
import { Field } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";

interface FileFieldProps {
  label: string;
  hint: string | undefined;
  problem: string | undefined;
  value: string;
  onChange: (text: string) => void;
}

/** A text that is pasted, or read from a file that is chosen or dropped on it. */
export function FileField({ label, hint, problem, value, onChange }: FileFieldProps) {
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
          {...{ label, hint, problem, value, onChange }}
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
