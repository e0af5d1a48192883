// QR codes read by the camera of the device, where the browser can.

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

const PAUSE_MS = 200;

function detectorClass(): DetectorClass | undefined {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
}

/** Whether this browser reads codes: not all do, and none gives a camera to a page over plain http. */
export function mayScan(): boolean {
  return detectorClass() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined;
}

/** Show the camera in `video` and pass on what its codes say until `read` takes one or the signal ends it. */
export async function scan(
  video: HTMLVideoElement,
  read: (text: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const Detector = detectorClass();
  if (!Detector) return;
  const detector = new Detector({ formats: ["qr_code"] });
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  try {
    if (signal.aborted) return; // the page went on while the browser asked for the camera
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const codes = await detector.detect(video);
      if (!signal.aborted && codes.some(({ rawValue }) => read(rawValue))) return;
      await new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    stream.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
  }
}
