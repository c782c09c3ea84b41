import { readXml as read, type XmlElement } from "../../storage/s3-xml.ts";
import { ImportError } from "../common/import-error.ts";

export { textIn, within, type XmlElement } from "../../storage/s3-xml.ts";

/** Parses the response of an S3 service. @throws ImportError if it is not XML */
export function readXml(text: string): XmlElement {
  try {
    return read(text);
  } catch (error) {
    throw new ImportError((error as Error).message);
  }
}
