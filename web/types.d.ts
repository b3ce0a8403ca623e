// What the checker of types has to know beside the pages' own files: elements that pages ask for by their id.

interface Element {
  // dialogs, fields, field sets, pictures and meters
  open?: boolean;
  disabled?: boolean;
  value?: any;
  alt?: string;
  src?: string;
  naturalWidth?: number;
  naturalHeight?: number;
  low?: number;
  high?: number;
  dataset?: DOMStringMap;
  focus?(): void;
  showModal?(): void;
  close?(): void;
}

interface Event {
  ports?: ReadonlyArray<MessagePort>;
}
