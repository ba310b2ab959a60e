<?php
// Reports the most memory that a request of the last weeks has needed, by which the dashboard says which plan is enough.

register_shutdown_function(
	static function () {
		$file    = NIDO_STATE_DIR . '/memory';
		$peak    = memory_get_peak_usage( true );
		$is_old  = time() - (int) @filemtime( $file ) > 30 * DAY_IN_SECONDS;
		$highest = $is_old ? 0 : (int) @file_get_contents( $file );
		// In steps, so that a busy site does not write it with every request.
		if ( $peak >= $highest + 2097152 ) {
			@file_put_contents( $file, $peak );
		}
	}
);
