import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState } from 'react';
import type { LocationNode } from '#core';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { Locations, useFormatFailure, useService, useText, useUnsavedWork } from '#core/web';
import type { LocationPictures } from '../../../contract/index.ts';
import { AreasDraft } from '../stores/areas-draft.ts';
import { readPictureConflict, type PictureMutations } from '../stores/picture-mutations.ts';
import { AreaList } from './area-list.tsx';
import { AreasCanvas } from './areas-canvas.tsx';
import { LocationCombobox } from './location-combobox.tsx';

const useStyles = makeStyles({
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold, outlineStyle: 'none' },
});

export interface AreasEditorProps {
  readonly location: LocationNode;
  readonly pictures: LocationPictures;
  /** URL of the navigation image. */
  readonly imageUrl: string;
  readonly mutations: PictureMutations;
}

/** Edits the map hotspots of a navigation image: by mouse, touch and keyboard. Keeps unsaved outlines offline. */
export const AreasEditor = observer(function AreasEditor({
  location,
  pictures,
  imageUrl,
  mutations,
}: AreasEditorProps) {
  const t = useText();
  const styles = useAdminStyles();
  const ownStyles = useStyles();
  const formatFailure = useFormatFailure();
  const titleId = useId();
  const locations = useService(Locations);
  const [draft] = useState(() => new AreasDraft(pictures));
  const [theirs, setTheirs] = useState<LocationPictures>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const canvasRef = useRef<HTMLDivElement>(null);
  const firstCornerRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    setTheirs(draft.adoptLoaded(pictures) ? undefined : pictures);
  }, [draft, pictures]);
  const { changed, drawing, crossingLocations, editedLocation } = draft;
  const heading = useRef<HTMLHeadingElement>(null);
  const cornerCount = draft.areas.find((area) => area.location === editedLocation)?.polygon.length;
  const focusCorners = (): void => (firstCornerRef.current ?? heading.current)?.focus();
  const isDrawing = drawing !== undefined;
  // The focused element may have been removed with the drawing, the corner or the area.
  useEffect(() => {
    const focusedElement = document.activeElement;
    // The canvas handles keys only while an outline is drawn.
    if (focusedElement === document.body || (!isDrawing && focusedElement === canvasRef.current)) focusCorners();
  }, [isDrawing, editedLocation, cornerCount]);
  useUnsavedWork(changed, 'locations.areas');

  const nameByUid = new Map(
    [location.uid, ...draft.areas.map((area) => area.location), drawing?.location ?? ''].map((uid) => [
      uid,
      locations.find(uid)?.name ?? uid,
    ]),
  );
  const usedLocations = new Set(draft.areas.map((area) => area.location));
  const freeLocations = listBelow(location).filter(({ uid }) => !usedLocations.has(uid));

  const save = async (version: number): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { uid, name } = location;
      const { areas } = draft;
      await mutations.saveAreas({ uid, name, version }, areas);
      draft.reset({ ...pictures, areas: [...areas], version: version + 1 });
      setTheirs(undefined);
    } catch (cause) {
      const current = readPictureConflict(cause);
      // The other person has changed only a picture, not the areas, so they are saved on the new version.
      if (current && draft.adoptLoaded(current)) return await save(current.version);
      if (current) setTheirs(current);
      else setFailure(cause);
    } finally {
      setBusy(false);
    }
  };
  const discard = (): void => {
    draft.reset(theirs ?? pictures);
    setTheirs(undefined);
    setFailure(undefined);
  };
  const problem =
    draft.problem === undefined
      ? crossingLocations.size > 0
        ? t('locations.areas.problem.crossing')
        : undefined
      : t(`locations.areas.problem.${draft.problem}`);
  return (
    <section className={styles.form} aria-labelledby={titleId}>
      <h4 id={titleId} ref={heading} tabIndex={-1} className={ownStyles.title}>
        {t('locations.areas.title')}
      </h4>
      <p className={styles.note}>{t('locations.areas.hint')}</p>
      <LocationCombobox
        // Each new area remounts the field, which empties it.
        key={draft.areas.length}
        locations={freeLocations}
        root={location.uid}
        disabled={isDrawing}
        onChoose={(uid) => {
          draft.startDrawing(uid);
          requestAnimationFrame(() => canvasRef.current?.focus());
        }}
      />
      <AreasCanvas
        canvasRef={canvasRef}
        firstCornerRef={firstCornerRef}
        draft={draft}
        imageUrl={imageUrl}
        alt={t('locations.pictures.imageOf', { name: location.name })}
        findName={(uid) => nameByUid.get(uid) ?? uid}
      />
      {drawing ? (
        <div className={styles.actions}>
          <Button appearance="primary" onClick={() => draft.closeOutline()}>
            {t('locations.areas.close')}
          </Button>
          <Button disabledFocusable={drawing.corners.length === 0} onClick={() => draft.removeLastCorner()}>
            {t('locations.areas.removeLast')}
          </Button>
          <Button onClick={() => draft.cancelDrawing()}>{t('locations.areas.cancel')}</Button>
        </div>
      ) : null}
      <div role="alert">
        {problem === undefined ? null : (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{problem}</MessageBarBody>
          </MessageBar>
        )}
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>
              {formatFailure(failure)} {t('locations.areas.kept')}
            </MessageBarBody>
          </MessageBar>
        )}
        {theirs ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('locations.areas.conflict')}</MessageBarBody>
            <MessageBarActions>
              <Button disabledFocusable={busy || drawing !== undefined} onClick={() => void save(theirs.version)}>
                {t('locations.sites.saveMine')}
              </Button>
              <Button onClick={discard}>{t('locations.areas.showTheirs')}</Button>
            </MessageBarActions>
          </MessageBar>
        ) : null}
      </div>
      <AreaList
        draft={draft}
        findName={(uid) => nameByUid.get(uid) ?? uid}
        label={t('locations.areas.list')}
        onEdit={() => requestAnimationFrame(focusCorners)}
      />
      <div className={styles.actions}>
        <Button
          appearance="primary"
          disabledFocusable={
            busy || !changed || drawing !== undefined || crossingLocations.size > 0 || theirs !== undefined
          }
          onClick={() => void save(draft.version)}
        >
          {t('locations.areas.save')}
        </Button>
        {changed ? <Button onClick={discard}>{t('locations.areas.discard')}</Button> : null}
      </div>
    </section>
  );
});

const listBelow = ({ children }: LocationNode): readonly LocationNode[] =>
  children.flatMap((child) => [child, ...listBelow(child)]);
