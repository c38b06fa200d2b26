import { useEffect, useEffectEvent } from 'react';
import { useParams } from 'react-router-dom';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';
import { RatingStore } from '../stores/rating-store.ts';

/** Reports to the rating store when a tour is shown and left. Renders nothing. */
export default function VisitReporter() {
  const { location = '' } = useParams();
  const ratings = useService(RatingStore);
  const tours = useService(TourStore);
  const reportShown = useEffectEvent(() => ratings.handleTourShown(location, tours.opened?.tour.name ?? ''));
  useEffect(() => {
    reportShown();
    return () => ratings.handleTourLeft(location);
  }, [ratings, location]);
  return null;
}
