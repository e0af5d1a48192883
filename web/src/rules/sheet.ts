// A rule sheet as the server writes it.
export interface SheetRow {
  path: string;
  label: string;
  value: string;
  standard: string;
  differs: boolean;
}

export interface SheetSection {
  id: string;
  label: string;
  about: string;
  rows: SheetRow[];
}

export interface SheetYaku {
  id: string;
  name: string;
  closed: string;
  open: string;
  standard: string;
  exists: boolean;
  differs: boolean;
}
