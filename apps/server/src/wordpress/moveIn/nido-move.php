<?php
/**
 * Plugin Name: Nido Move
 * Description: Lets your new host copy this site: its database and wp-content. Only an administrator's application password can read it, and nothing is changed here. Delete this plugin afterwards.
 * Version: 1.0
 * Requires at least: 5.6
 * Requires PHP: 7.0
 * License: GPL-2.0-or-later
 *
 * The copy is read in pieces, each within a few seconds: POST /nido-move/v1/site describes the site, /table returns rows
 * as SQL, and /files returns files as a part of a tar archive. X-Move-Next says where the following piece begins.
 *
 * If your new host has brought this plugin by SFTP, it has a key, and the plugin deletes itself: /end, or when its time is
 * over.
 */

defined( 'ABSPATH' ) || exit;

require __DIR__ . '/table-sql.php';

const NIDO_MOVE_BYTES   = 4194304;
const NIDO_MOVE_SECONDS = 8;
const NIDO_MOVE_BLOCK   = 512;
/** Of WordPress itself, only the file that tells its version. */
const NIDO_MOVE_VERSION = 'wp-includes/version.php';

if ( defined( 'NIDO_MOVE_UNTIL' ) && time() > NIDO_MOVE_UNTIL ) {
	nido_move_end();
	return;
}

// Some sites answer REST only for users who have signed in.
add_filter(
	'rest_authentication_errors',
	function ( $result ) {
		return nido_move_has_key() ? true : $result;
	},
	PHP_INT_MAX
);

add_action(
	'rest_api_init',
	function () {
		foreach ( array( 'site', 'table', 'files', 'end' ) as $route ) {
			register_rest_route(
				'nido-move/v1',
				"/$route",
				array(
					'methods'             => 'POST',
					'callback'            => "nido_move_$route",
					'permission_callback' => function () {
						return nido_move_has_key() || ( current_user_can( 'export' ) && current_user_can( 'manage_options' ) );
					},
				)
			);
		}
	}
);

/** Whether the host asks that has brought this plugin. */
function nido_move_has_key() {
	$key = isset( $_SERVER['HTTP_X_MOVE_KEY'] ) ? $_SERVER['HTTP_X_MOVE_KEY'] : '';
	return defined( 'NIDO_MOVE_KEY' ) && hash_equals( NIDO_MOVE_KEY, hash( 'sha256', $key ) );
}

/** Deletes this plugin, if its host has brought it. */
function nido_move_end() {
	if ( defined( 'NIDO_MOVE_KEY' ) ) {
		array_map( 'unlink', glob( __DIR__ . '/*.php' ) );
		rmdir( __DIR__ );
		unlink( __DIR__ . '.php' );
	}
	return array( 'ended' => true );
}

/** What there is to copy. The bytes are an estimate: a large site is not counted to its end. */
function nido_move_site() {
	global $wpdb;
	$tables = $wpdb->get_col( "SHOW TABLES LIKE '" . $wpdb->esc_like( $wpdb->prefix ) . "%'" );
	$bytes  = 0;
	$until  = microtime( true ) + NIDO_MOVE_SECONDS;
	foreach ( nido_move_list( array() ) as $file ) {
		$bytes += filesize( $file );
		if ( microtime( true ) > $until ) {
			break;
		}
	}
	return array(
		'tables'     => array_values( preg_grep( '/^\w+$/', $tables ) ),
		'is_network' => is_multisite(),
		'bytes'      => $bytes,
	);
}

/** Some rows of a table as SQL, after those that were sent before. */
function nido_move_table( $request ) {
	global $wpdb;
	$table = (string) $request['name'];
	$after = (string) $request['after'];
	if ( ! preg_match( '/^\w+$/', $table ) || 0 !== strpos( $table, $wpdb->prefix ) || ! preg_match( '/^[-\d,]*$/', $after ) ) {
		return new WP_Error( 'nido_move_table', 'No such table.', array( 'status' => 400 ) );
	}
	$piece = nido_table_sql( $table, $after );
	if ( null === $piece ) {
		return new WP_Error( 'nido_move_query', 'The database does not answer.', array( 'status' => 500 ) );
	}
	nido_move_send( $piece['sql'], $piece['next'] );
}

/** Some files as a part of a tar archive. The place is the next file, how much of it was sent, and the size that was told. */
function nido_move_files( $request ) {
	$place = json_decode( (string) $request['after'], true );
	$place = is_array( $place ) ? $place : array();
	$name  = isset( $place['name'] ) ? rawurldecode( $place['name'] ) : '';
	$sent  = isset( $place['sent'] ) ? (int) $place['sent'] : 0;
	$size  = isset( $place['size'] ) ? (int) $place['size'] : 0;
	$out   = '';
	$until = microtime( true ) + NIDO_MOVE_SECONDS;
	if ( $sent > 0 && ! in_array( '..', explode( '/', $name ), true ) ) {
		$file = NIDO_MOVE_VERSION === $name ? ABSPATH . $name : WP_CONTENT_DIR . substr( $name, strlen( 'wp-content' ) );
		$out .= nido_move_part( $file, $sent, $size );
		$sent = min( $sent + NIDO_MOVE_BYTES, $size );
		if ( $sent < $size ) {
			return nido_move_send( $out, nido_move_place( $name, $sent, $size ) );
		}
	}
	$is_after = $sent > 0;
	foreach ( nido_move_list( '' === $name ? array() : explode( '/', $name ) ) as $next => $file ) {
		if ( $is_after && $next === $name ) {
			continue;
		}
		if ( strlen( $out ) >= NIDO_MOVE_BYTES || ( '' !== $out && microtime( true ) > $until ) ) {
			return nido_move_send( $out, nido_move_place( $next, 0, 0 ) );
		}
		$size = filesize( $file );
		$out .= nido_move_header( $next, $size ) . nido_move_part( $file, 0, $size );
		if ( $size > NIDO_MOVE_BYTES ) {
			return nido_move_send( $out, nido_move_place( $next, NIDO_MOVE_BYTES, $size ) );
		}
	}
	return nido_move_send( $out, '' );
}

/** Names of files need not be UTF-8. */
function nido_move_place( $name, $sent, $size ) {
	$name = rawurlencode( $name );
	return wp_json_encode( compact( 'name', 'sent', 'size' ) );
}

/** Bytes of a file, which may have become shorter, and after the last ones what fills the block. */
function nido_move_part( $file, $sent, $size ) {
	$bytes  = min( NIDO_MOVE_BYTES, $size - $sent );
	$part   = '';
	$stream = is_readable( $file ) ? fopen( $file, 'rb' ) : false;
	if ( $stream ) {
		fseek( $stream, $sent );
		$part = $bytes > 0 ? (string) stream_get_contents( $stream, $bytes ) : '';
		fclose( $stream );
	}
	$part = str_pad( $part, $bytes, "\0" );
	return $sent + $bytes < $size ? $part : $part . str_repeat( "\0", ( NIDO_MOVE_BLOCK - $size % NIDO_MOVE_BLOCK ) % NIDO_MOVE_BLOCK );
}

function nido_move_header( $name, $size, $type = '0' ) {
	$before = '';
	if ( strlen( $name ) > 100 && 'x' !== $type ) {
		$record = " path=$name\n";
		$length = strlen( $record );
		// The number counts its own digits, too.
		while ( strlen( $length . $record ) !== $length ) {
			$length = strlen( $length . $record );
		}
		$record = $length . $record;
		$before = nido_move_header( 'path', strlen( $record ), 'x' ) . $record . str_repeat( "\0", ( NIDO_MOVE_BLOCK - strlen( $record ) % NIDO_MOVE_BLOCK ) % NIDO_MOVE_BLOCK );
		$name   = substr( $name, 0, 100 );
	}
	$fields = array( str_pad( $name, 100, "\0" ), "0000644\0", "0000000\0", "0000000\0", sprintf( "%011o\0", $size ), "00000000000\0" );
	$start  = implode( '', $fields );
	$end    = str_pad( $type . str_repeat( "\0", 100 ) . "ustar\0" . '00', NIDO_MOVE_BLOCK - strlen( $start ) - 8, "\0" );
	$sum    = array_sum( unpack( 'C*', $start . '        ' . $end ) );
	return $before . $start . sprintf( "%06o\0 ", $sum ) . $end;
}

/** The files to copy, sorted, from the given one on. */
function nido_move_list( $from ) {
	if ( ! $from || 'wp-content' === $from[0] ) {
		$below = nido_move_folder( WP_CONTENT_DIR, 'wp-content', array_slice( $from, 1 ) );
		foreach ( $below as $name => $file ) {
			yield $name => $file;
		}
	}
	yield NIDO_MOVE_VERSION => ABSPATH . NIDO_MOVE_VERSION;
}

function nido_move_folder( $folder, $path, $from, $parents = array() ) {
	// Caches, the backups of other plugins, and this plugin. No other host needs them, and some are large.
	$left = '#^wp-content/(cache|et-cache|litespeed|upgrade|upgrade-temp-backup|updraft|ai1wm-backups|backups-dup-(lite|pro)|wpvividbackups|backuply|wflogs|(mu-)?plugins/nido-move(\.php)?|debug\.log)$#';
	$real = realpath( $folder );
	// A link may lead to a folder that it is in.
	if ( false === $real || in_array( $real, $parents, true ) || ! is_readable( $folder ) ) {
		return;
	}
	$parents[] = $real;
	$names     = scandir( $folder ) ?: array();
	// In the order of the bytes, as below, whatever the locale.
	sort( $names, SORT_STRING );
	foreach ( $names as $name ) {
		$order = $from ? strcmp( $name, $from[0] ) : 1;
		$file  = "$folder/$name";
		if ( '.' === $name || '..' === $name || $order < 0 || preg_match( $left, "$path/$name" ) ) {
			continue;
		}
		if ( is_dir( $file ) ) {
			foreach ( nido_move_folder( $file, "$path/$name", 0 === $order ? array_slice( $from, 1 ) : array(), $parents ) as $below => $each ) {
				yield $below => $each;
			}
		} elseif ( is_file( $file ) && is_readable( $file ) ) {
			yield "$path/$name" => $file;
		}
	}
}

function nido_move_send( $bytes, $next ) {
	while ( ob_get_level() > 0 ) {
		ob_end_clean();
	}
	nocache_headers();
	header( 'Content-Type: application/octet-stream' );
	header( 'X-Move-Next: ' . rawurlencode( $next ) );
	// Not Content-Length: the web server may compress the bytes.
	header( 'X-Move-Bytes: ' . strlen( $bytes ) );
	echo $bytes;
	exit;
}
