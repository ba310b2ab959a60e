<?php
// Notes requests of visitors and of the admin that took long, for the platform's screens. If there are many, the older
// half is forgotten.
const NIDO_SLOW_SECONDS = 2;
const NIDO_SLOW_BYTES   = 65536;

register_shutdown_function(
	static function () {
		$seconds = microtime( true ) - (float) ( $_SERVER['REQUEST_TIME_FLOAT'] ?? INF );
		$is_visit = ! defined( 'DOING_CRON' ) && ! str_starts_with( $_SERVER['SCRIPT_FILENAME'], __DIR__ );
		if ( $seconds < NIDO_SLOW_SECONDS || ! $is_visit || isset( $_SERVER['NIDO_SAFE'] ) ) {
			return;
		}
		$entry = array(
			'at'      => time(),
			'seconds' => round( min( $seconds, 999 ), 1 ),
			'path'    => mb_substr( mb_scrub( $_SERVER['REQUEST_METHOD'] . ' ' . strtok( $_SERVER['REQUEST_URI'] ?? '/', '?' ) ), 0, 200 ),
			'queries' => (int) ( $GLOBALS['wpdb']->num_queries ?? 0 ),
		);
		$log   = @fopen( NIDO_STATE_DIR . '/slow.log', 'c+' );
		if ( ! $log || ! flock( $log, LOCK_EX ) ) {
			return;
		}
		$kept = '';
		if ( fstat( $log )['size'] > NIDO_SLOW_BYTES ) {
			fseek( $log, NIDO_SLOW_BYTES / 2 );
			fgets( $log );
			$kept = stream_get_contents( $log, NIDO_SLOW_BYTES );
			ftruncate( $log, 0 );
		}
		fseek( $log, 0, SEEK_END );
		fwrite( $log, $kept . wp_json_encode( $entry, JSON_INVALID_UTF8_SUBSTITUTE ) . "\n" );
		fclose( $log );
	}
);
