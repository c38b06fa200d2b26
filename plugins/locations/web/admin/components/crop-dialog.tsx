import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { Field, makeStyles, Slider, tokens } from '#core/ui';
import { FormDialog, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { centredCrop, dragCrop, maxCropZoom, toCropRect, type Crop, type PixelSize } from '../stores/crop.ts';

const useStyles = makeStyles({
  frame: {
    display: 'block',
    justifySelf: 'center',
    maxWidth: '100%',
    maxHeight: '40vh',
    objectFit: 'contain',
    cursor: 'grab',
    touchAction: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground4,
  },
});

const jpegQuality = 0.92;
const percent = 100;

export interface CropDialogProps {
  readonly title: string;
  readonly file: File;
  /** The decoded file. */
  readonly picture: ImageBitmap;
  /** The size of the result in pixels. */
  readonly size: PixelSize;
  /** Called with a picture of exactly `size`: a JPEG if the file is a JPEG, else a PNG. */
  readonly onCrop: (file: File) => void;
  readonly onClose: () => void;
}

/** Selects the part of a picture that fits a size, by dragging and by sliders. */
export function CropDialog({ title, file, picture, size, onCrop, onClose }: CropDialogProps) {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>(centredCrop);
  const rect = toCropRect(picture, size, crop);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, size.width, size.height);
    context.drawImage(picture, rect.left, rect.top, rect.width, rect.height, 0, 0, size.width, size.height);
  }, [picture, size, rect.left, rect.top, rect.width, rect.height]);
  useDrag(canvas, (right, down) => setCrop((before) => dragCrop(picture, size, before, right, down)));

  const submit = (): void => {
    const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
    const name = `${file.name.replace(/\.[^.]*$/, '')}${type === 'image/jpeg' ? '.jpg' : '.png'}`;
    canvas.current?.toBlob((blob) => blob && onCrop(new File([blob], name, { type })), type, jpegQuality);
  };
  const sliders = [
    ['zoom', 1, maxCropZoom, crop.zoom],
    ['x', 0, 1, crop.x],
    ['y', 0, 1, crop.y],
  ] as const;
  return (
    <FormDialog
      title={title}
      action={t('locations.crop.use')}
      busy={false}
      failure={undefined}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onClose={onClose}
    >
      <p className={styles.note}>
        {t('locations.crop.found', { ...size, foundWidth: picture.width, foundHeight: picture.height })}{' '}
        {t('locations.crop.choose')}
        {rect.width < size.width - 1 ? ` ${t('locations.crop.enlarged')}` : ''}
      </p>
      <canvas
        ref={canvas}
        className={styles.frame}
        width={size.width}
        height={size.height}
        role="img"
        aria-label={t('locations.crop.preview')}
      />
      {sliders.map(([name, min, max, value]) => (
        <Field key={name} label={t(`locations.crop.${name}`)}>
          <Slider
            min={min * percent}
            max={max * percent}
            step={5}
            value={value * percent}
            onChange={(_, data) => setCrop((before) => ({ ...before, [name]: data.value / percent }))}
          />
        </Field>
      ))}
    </FormDialog>
  );
}

/** Reports moves of a pressed pointer in fractions of the element. */
function useDrag(element: RefObject<HTMLElement | null>, onDrag: (right: number, down: number) => void): void {
  const report = useEffectEvent(onDrag);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const abort = new AbortController();
    let lastPoint: { readonly x: number; readonly y: number } | undefined;
    current.addEventListener(
      'pointerdown',
      ({ pointerId, clientX: x, clientY: y }) => {
        lastPoint = { x, y };
        current.setPointerCapture(pointerId);
      },
      abort,
    );
    current.addEventListener(
      'pointermove',
      ({ buttons, clientX: x, clientY: y }) => {
        if (!lastPoint || buttons === 0) return;
        const { width, height } = current.getBoundingClientRect();
        report((x - lastPoint.x) / Math.max(1, width), (y - lastPoint.y) / Math.max(1, height));
        lastPoint = { x, y };
      },
      abort,
    );
    return () => abort.abort();
  }, [element]);
}
